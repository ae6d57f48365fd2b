export function fare(zones: number): string;
export function zones(): string[];
