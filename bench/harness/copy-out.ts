import type { Readable } from 'node:stream';
import { Client } from 'pg';
import { to } from 'pg-copy-streams';

/** Runs a `copy … to stdout` on its own connection and passes the bytes to `read`. */
export async function copyOut<T>(
  url: string,
  text: string,
  read: (bytes: Readable) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await read(client.query(to(text)));
  } finally {
    await client.end();
  }
}

export async function drain(bytes: Readable): Promise<void> {
  for await (const _ of bytes);
}
