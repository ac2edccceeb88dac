/** Whether a statement failed because one of these constraints or unique indexes was violated. */
export const isTaken = (error: unknown, ...names: string[]): boolean =>
  error instanceof Error && 'constraint' in error && names.includes(String(error.constraint));
