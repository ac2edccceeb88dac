/** Result of one check of `doctor`. `todo` is empty if all is well. */
export interface Finding {
  state: 'ok' | 'look' | 'broken';
  found: string;
  todo: string;
}

export const ok = (found: string): Finding => ({ state: 'ok', found, todo: '' });
export const look = (found: string, todo: string): Finding => ({ state: 'look', found, todo });
export const broken = (found: string, todo: string): Finding => ({ state: 'broken', found, todo });
