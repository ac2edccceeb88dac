import { randomBytes } from 'node:crypto';
import type { Sql } from './postgres/connect.ts';

/** A secret of 32 bytes that is drawn once for a database and is the same in every process. */
export async function serviceSecret(sql: Sql, name: 'links' | 'webhooks'): Promise<Buffer> {
  await sql`
    insert into service_secrets (name, value) values (${name}, ${randomBytes(32)})
    on conflict (name) do nothing`;
  const [row] = await sql<{ value: Buffer }[]>`
    select value from service_secrets where name = ${name}`;
  if (!row) throw new Error(`the secret ${name} is missing`);
  return row.value;
}
