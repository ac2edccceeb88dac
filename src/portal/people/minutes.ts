export const minutesOf = (seconds: number): number => Math.ceil(seconds / 60);
