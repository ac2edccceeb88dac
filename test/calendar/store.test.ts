import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addCalendarDay,
  listCalendarDays,
  loadCalendar,
  removeCalendarDay,
} from '../../src/calendar/index.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const day = (text: string) => Temporal.PlainDate.from(text);
const listed = async () =>
  (await listCalendarDays(database.sql)).map((row) => `${row.day.toString()} ${row.kind}`);

test('lists added days in order, changes them in place, and removes them once', async () => {
  const { sql } = database;
  await addCalendarDay(sql, day('2026-12-24'), 'bank');
  await addCalendarDay(sql, day('2026-11-24'), 'holiday');
  await addCalendarDay(sql, day('2026-12-24'), 'open');
  expect(await listed()).toEqual(['2026-11-24 holiday', '2026-12-24 open']);
  const calendar = await loadCalendar(sql);
  expect(calendar.nextBusinessDay(day('2026-11-21'), 1).toString()).toBe('2026-11-25');
  expect(await removeCalendarDay(sql, day('2026-11-24'))).toBe(true);
  expect(await removeCalendarDay(sql, day('2026-11-24'))).toBe(false);
  expect(await listed()).toEqual(['2026-12-24 open']);
});
