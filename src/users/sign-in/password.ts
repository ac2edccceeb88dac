import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { lengthOf } from '../../kernel/text.ts';
import { createFairSlots } from '../../platform/slots.ts';
import { tooMany } from '../codes.ts';
import { isCommon } from './common-passwords.ts';

export const shortestPassword = 12;
export const longestPassword = 128;

export type PasswordFault = 'short' | 'long' | 'common' | 'own' | 'used';

/** Number of last passwords, the current one included, from which a new one must differ. */
export const rememberedPasswords = 4;

/** Returns a new password's fault, or null. */
export function passwordFault(
  password: string,
  email: string,
): Exclude<PasswordFault, 'used'> | null {
  const length = lengthOf(password);
  if (length < shortestPassword) return 'short';
  if (length > longestPassword) return 'long';
  const [local = ''] = email.toLowerCase().split('@');
  if (local.length > 3 && password.toLowerCase().includes(local)) return 'own';
  return isCommon(password) ? 'common' : null;
}

const derive = promisify(argon2);

/** The cost of an argon2id hash: KiB of memory, and passes. */
export interface PasswordCosts {
  memory: number;
  passes: number;
  parallelism: number;
}

/** OWASP, Password Storage: 19 MiB, two passes. */
const defaultCosts: PasswordCosts = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;
/** Concurrent hashes, waiting ones per queue, and the longest wait. */
const atOnce = 2;
const queued = 20;
const patienceMs = 10_000;

interface Hash extends PasswordCosts {
  nonce: Buffer;
  tag: Buffer;
}

// bounded: our own base64
const plain = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function readHash(text: string): Hash {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = shape.exec(text) ?? [];
  if (tag === '') throw new Error('a password hash has a form that is not known');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** Hashes off the event loop, a few at a time, because each takes memory. */
export interface Hasher {
  /** Hashes a password. `queue` is the network or user. Queues do not delay each other. */
  hash(password: string, queue: string): Promise<string>;
  /**
   * Returns true if a password has this hash. Constant-time: takes as long without a stored hash.
   */
  matches(password: string, stored: string | null, queue: string): Promise<boolean>;
}

export function createHasher(costs = defaultCosts): Hasher {
  const slots = createFairSlots({
    most: atOnce,
    queued,
    patienceMs,
    refusal: () => tooMany('sign_in.busy', {}, 1),
  });
  const tagOf = (
    password: string,
    { nonce, tag, ...cost }: Hash,
    queue: string,
  ): Promise<Buffer> => {
    const terms = { ...cost, nonce, message: password.normalize('NFC'), tagLength: tag.length };
    return slots.run(queue, () => derive('argon2id', terms));
  };
  const drawn = (): Hash => ({
    ...costs,
    nonce: randomBytes(saltBytes),
    tag: Buffer.alloc(hashBytes),
  });
  const nobody = drawn();
  return {
    async hash(password, queue) {
      const { memory, passes, parallelism, ...rest } = drawn();
      const tag = await tagOf(password, { memory, passes, parallelism, ...rest }, queue);
      const terms = `m=${memory},t=${passes},p=${parallelism}`;
      return `$argon2id$v=19$${terms}$${plain(rest.nonce)}$${plain(tag)}`;
    },
    async matches(password, stored, queue) {
      const expected = stored === null ? nobody : readHash(stored);
      // Bounds the hashed length, because longer passwords are invalid anyway.
      const tag = await tagOf(password.slice(0, 4 * longestPassword), expected, queue);
      return timingSafeEqual(tag, expected.tag) && stored !== null;
    },
  };
}
