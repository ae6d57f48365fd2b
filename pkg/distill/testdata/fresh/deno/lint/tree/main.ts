let unused: any = 1;
export const x = 1;
