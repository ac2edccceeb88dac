import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Sql } from '../../../src/platform/postgres/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  sql = database.sql;
});
afterAll(() => database.drop());

const day = Temporal.PlainDate.from;
const moment = Temporal.Instant.from;

/** Returns `value` of a query with one row. */
async function value(query: Promise<readonly { value?: unknown }[]>): Promise<unknown> {
  const [row] = await query;
  return row?.value;
}

describe('results', () => {
  test('reads int8 as a number, numeric as a string, dates and times as Temporal values', async () => {
    const [row] = await sql`
      select 9007199254740991::int8 as big, -5::int2 as small, 12.50::numeric as exact,
        '2024-02-29'::date as day, '2026-11-21 09:49:28.123456-03'::timestamptz as moment,
        true as flag, 'ñandú' as word, '\\x00ff'::bytea as bytes, null as nothing,
        '{"id":12345678901234567890}'::json as document, 1.5::float8 as ratio`;
    expect(row?.big).toBe(9007199254740991);
    expect(row?.small).toBe(-5);
    expect(row?.exact).toBe('12.50');
    expect(row?.day).toBeInstanceOf(Temporal.PlainDate);
    expect(String(row?.day)).toBe('2024-02-29');
    expect(row?.moment).toBeInstanceOf(Temporal.Instant);
    expect(String(row?.moment)).toBe('2026-11-21T12:49:28.123456Z');
    expect(row?.flag).toBe(true);
    expect(row?.word).toBe('ñandú');
    expect(row?.bytes).toEqual(Buffer.from([0, 255]));
    expect(row?.nothing).toBeNull();
    expect(JSON.stringify(row?.document)).toBe('{"id":12345678901234567890}');
    expect(row?.ratio).toBe(1.5);
  });

  test('fails for an int8 beyond the safe integer range, and keeps the connection usable', async () => {
    const one = connect(database.url, { max: 1, applicationName: 'test' });
    try {
      await expect(one`select 9007199254740993::int8 as value`).rejects.toThrow(RangeError);
      await expect(one`select '{1,9007199254740993}'::int8[] as value`).rejects.toThrow(RangeError);
      expect(await value(one`select 1 as value`)).toBe(1);
    } finally {
      await one.end();
    }
  });

  test('reads instants independently of the database’s time zone', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await sql.unsafe(`alter database ${name} set timezone = 'America/Argentina/Buenos_Aires'`);
    await sql.unsafe(`alter database ${name} set datestyle = 'SQL, DMY'`);
    const fresh = connect(database.url, { max: 1, applicationName: 'test' });
    try {
      const rows = await fresh`select '2026-11-21T02:00:00Z'::timestamptz as at,
        '2026-11-21T02:00:00Z'::timestamptz::date as day`;
      expect(String(rows[0]?.at)).toBe('2026-11-21T02:00:00Z');
      expect(String(rows[0]?.day)).toBe('2026-11-21');
    } finally {
      await fresh.end();
      await sql.unsafe(`alter database ${name} reset all`);
    }
  });

  test('reads multidimensional arrays and arrays with other bounds', async () => {
    const [row] = await sql`
      select '{{1,2},{3,null}}'::int4[] as matrix, '[0:1]={7,8}'::int8[] as bounds,
        '{}'::text[] as empty, array['{a,b}', '', 'null', null, '"', '\\'] as words`;
    expect(row?.matrix).toEqual([
      [1, 2],
      [3, null],
    ]);
    expect(row?.bounds).toEqual([7, 8]);
    expect(row?.empty).toEqual([]);
    expect(row?.words).toEqual(['{a,b}', '', 'null', null, '"', '\\']);
  });
});

describe('parameters', () => {
  test('returns values as they were sent', async () => {
    expect(String(await value(sql`select ${day('1999-12-31')}::date as value`))).toBe('1999-12-31');
    const at = moment('2026-11-21T09:49:28.123456-03:00');
    expect(String(await value(sql`select ${at}::timestamptz as value`))).toBe(String(at));
    expect(await value(sql`select ${2 ** 53 - 1}::int8 as value`)).toBe(2 ** 53 - 1);
    expect(await value(sql`select ${'12.50'}::numeric as value`)).toBe('12.50');
    expect(await value(sql`select ${{ type: 'a', value: [1, null] }}::jsonb as value`)).toEqual({
      type: 'a',
      value: [1, null],
    });
    expect(await value(sql`select ${'text'}::json as value`)).toBe('text');
    expect(await value(sql`select ${[true, [1e20]]}::json as value`)).toEqual([true, [1e20]]);
    expect(await value(sql`select ${null}::json is null as value`)).toBe(true);
    expect(await value(sql`select ${'true'}::boolean as value`)).toBe(true);
    expect(await value(sql`select ${Buffer.from('ab')}::bytea as value`)).toEqual(
      Buffer.from('ab'),
    );
  });

  test('rounds a moment finer than microseconds instead of refusing it', async () => {
    const at = moment('2026-11-21T00:00:00.123456789Z');
    const back = await value(sql`select ${at}::timestamptz as value`);
    expect(String(back)).toBe('2026-11-21T00:00:00.123457Z');
  });

  test('preserves text arrays of any content', async () => {
    const word = fc.oneof(
      fc.constantFrom('NULL', 'null', '', '{', '}', ',', '"', '\\', ' ', '{"a":1}'),
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(word)), async (words) => {
        expect(await value(sql`select ${words}::text[] as value`)).toEqual(words);
      }),
      { numRuns: 200 },
    );
  });

  test('preserves number arrays with nulls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.integer({ min: -32768, max: 32767 }))),
        fc.array(fc.option(fc.maxSafeInteger())),
        async (small, big) => {
          const [row] = await sql`select ${small}::int2[] as small, ${big}::int8[] as big`;
          expect(row).toEqual({ small, big });
        },
      ),
      { numRuns: 100 },
    );
  });

  test('preserves date and instant arrays with nulls', async () => {
    const days = fc.integer({ min: 0, max: 80_000 }).map((n) => day('1900-01-01').add({ days: n }));
    const moments = fc
      .bigInt({ min: 0n, max: 4_102_444_800_000_000n })
      .map((micro) => Temporal.Instant.fromEpochNanoseconds(micro * 1000n));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(days)),
        fc.array(fc.option(moments)),
        async (dates, instants) => {
          const [row] = await sql`
            select ${dates}::date[] as dates, ${instants}::timestamptz[] as instants`;
          expect(row?.dates.map(String)).toEqual(dates.map(String));
          expect(row?.instants.map(String)).toEqual(instants.map(String));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('preserves JSON arrays, with members named type and value, and nested arrays', async () => {
    const document = fc.oneof(
      fc.record({ type: fc.string(), value: fc.jsonValue() }),
      fc.jsonValue().filter((json) => json !== null),
    );
    const clean = document.map((json) => JSON.parse(JSON.stringify(json)) as object);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(clean)), async (documents) => {
        const [row] = await sql`select ${documents}::json[] as documents`;
        expect(JSON.stringify(row?.documents)).toBe(JSON.stringify(documents));
      }),
      { numRuns: 200 },
    );
    const events = [{ type: 'paid', value: 1 }, null, [1, [2]], 'x'];
    expect(await value(sql`select ${events}::jsonb[] as value`)).toEqual(events);
  });

  test('rejoins long arrays that are written in parts, and treats a long JSON list as one document', async () => {
    const words = Array.from({ length: 4_001 }, (_none, no) => (no % 7 ? `"${no}\\,{}` : null));
    expect(await value(sql`select ${words}::text[] as value`)).toEqual(words);
    const pairs = Array.from({ length: 4_001 }, (_none, no) => [no, no + 1]);
    expect(await value(sql`select ${pairs}::int[] as value`)).toEqual(pairs);
    expect(await value(sql`select ${pairs}::jsonb as value`)).toEqual(pairs);
  });

  test('preserves boolean and bytea arrays', async () => {
    const [row] = await sql`
      select ${[true, null, false]}::boolean[] as flags, ${[null, true]}::boolean[] as late,
        ${[Buffer.from('a'), null, Buffer.alloc(0)]}::bytea[] as bytes`;
    expect(row?.flags).toEqual([true, null, false]);
    expect(row?.late).toEqual([null, true]);
    expect(row?.bytes).toEqual([Buffer.from('a'), null, Buffer.alloc(0)]);
  });

  test('unnests arrays of every kind into rows', async () => {
    const rows = await sql`
      select * from unnest(
        ${[1, 2]}::int2[], ${[10, null]}::int8[], ${['a', null]}::text[],
        ${[null, day('2026-11-21')]}::date[], ${[moment('2026-11-21T12:00:00Z'), null]}::timestamptz[],
        ${[{ type: 'x' }, null]}::jsonb[], ${['1.10', null]}::numeric[], ${[false, true]}::boolean[]
      ) as rows (small, big, word, day, at, document, exact, flag)`;
    expect(JSON.parse(JSON.stringify(rows))).toEqual([
      {
        small: 1,
        big: 10,
        word: 'a',
        day: null,
        at: '2026-11-21T12:00:00Z',
        document: { type: 'x' },
        exact: '1.10',
        flag: false,
      },
      {
        small: 2,
        big: null,
        word: null,
        day: '2026-11-21',
        at: null,
        document: null,
        exact: null,
        flag: true,
      },
    ]);
  });

  test('treats empty arrays as empty, not as unknown', async () => {
    expect(await value(sql`select cardinality(${[]}::date[]) as value`)).toBe(0);
    expect(await value(sql`select count(*) as value from unnest(${[]}::jsonb[])`)).toBe(0);
  });

  test('prepares a repeated statement once', async () => {
    const one = connect(database.url, { max: 1, applicationName: 'test' });
    try {
      for (const n of [1, 2, 3]) await one`select ${n}::int + 41 as prepared_probe`;
      const rows = await one`
        select generic_plans + custom_plans as uses from pg_prepared_statements
        where statement like '%41 as prepared_probe%' and statement not like '%pg_prepared%'`;
      expect(rows.map(({ uses }) => uses)).toEqual([3]);
    } finally {
      await one.end();
    }
  });
});

test('composes fragments, lists of fragments and names', async () => {
  await sql`create table composed (a int, b text)`;
  await sql`insert into composed (a, b) values (1, 'x'), (2, 'y')`;
  const filters = [sql`a > ${0}`, sql`and b = any(${['y', 'z']})`];
  const rows = await sql`
    select ${sql('b')} from composed where ${filters} and a = any(${[1, 2]}) ${sql`order by a`}
    ${sql.unsafe('limit 5')}`;
  expect([...rows]).toEqual([{ b: 'y' }]);
  expect(rows.count).toBe(1);
});

describe('unsendable parameters', () => {
  const unsendable: [string, unknown][] = [
    ['undefined', undefined],
    ['undefined in an array', [1, undefined]],
    ['undefined in a nested array', [['a'], [undefined]]],
    ['a bigint', 1n],
    ['a Date', new Date(0)],
    ['a promise', Promise.resolve(1)],
    ['a number beyond 2^53', 2 ** 53],
    ['NaN', Number.NaN],
  ];
  test.each(unsendable)('throws at the call for %s', (_name, bad) => {
    expect(() => sql`select ${bad as string}::text`).toThrow(TypeError);
    expect(() => sql.unsafe('select $1', [bad as string])).toThrow(TypeError);
  });

  test('rolls a transaction back if one of its parameters is unsendable', async () => {
    await sql`create table guarded (n int)`;
    await expect(
      sql.begin(async (transaction) => {
        await transaction`insert into guarded values (1)`;
        await transaction`insert into guarded values (${undefined as unknown as number})`;
      }),
    ).rejects.toThrow(TypeError);
    expect(await value(sql`select count(*) as value from guarded`)).toBe(0);
  });

  test('does not harm statements in flight on the same connection', async () => {
    const one = connect(database.url, { max: 1, applicationName: 'test' });
    try {
      await one`select ${'warm'}::text as value`;
      await one`select ${{}}::json as value`;
      const slow = one`select pg_sleep(0.1), 'slow' as value`;
      expect(() => one`select ${undefined as unknown as string}::text as value`).toThrow(TypeError);
      const circular: { self?: unknown } = {};
      circular.self = circular;
      const unwritable = one`select ${circular}::json as value`;
      const after = one`select ${'after'}::text as value`;
      await expect(unwritable).rejects.toThrow(TypeError);
      expect(await value(slow)).toBe('slow');
      expect(await value(after)).toBe('after');
    } finally {
      await one.end();
    }
  });
});
