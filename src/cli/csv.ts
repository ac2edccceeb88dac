/** A cell of CSV (RFC 4180): quoted where it must be. */
const cell = (value: string | number): string => {
  const text = String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A line of CSV with its end. */
export const csvLine = (cells: (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;
