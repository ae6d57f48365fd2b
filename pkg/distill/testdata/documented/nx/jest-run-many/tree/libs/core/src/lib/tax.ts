export const tax = 1;
