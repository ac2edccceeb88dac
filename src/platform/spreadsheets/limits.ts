export interface TableLimits {
  rows: number;
  columns: number;
}
