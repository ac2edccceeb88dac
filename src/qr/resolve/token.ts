import { createHash, timingSafeEqual } from 'node:crypto';
import { refusal } from '../codes.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns a check that throws unless the list contains the token. Compares in constant time. */
export function tokenCheck(tokens: readonly string[]): (token: string | null) => void {
  const known = tokens.map(digest);
  return (token) => {
    if (token === null) throw refusal('qr.resolve_token_missing', {});
    const sent = digest(token);
    if (known.filter((one) => timingSafeEqual(one, sent)).length === 0) {
      throw refusal('qr.resolve_token_wrong', {});
    }
  };
}
