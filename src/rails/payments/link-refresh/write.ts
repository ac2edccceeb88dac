import { compareDays } from '../../../kernel/dates.ts';
import { type Centavos, centavos, plus, zero } from '../../../kernel/money.ts';
import { bankPaymentCode } from '../../../payment-requests/index.ts';
import {
  configured,
  type LineWriter,
  type OutboundRail,
  type WrittenFile,
} from '../../files/format.ts';
import { controlEnd, controlHeader, controlLot, detail, header, trailer } from './layout.ts';

/** Every volume has a single lot. */
const lot = 1;
const volumes = 9;
/** Each request has its own payment code, so a code never has a second debt. */
const onlyDebt = '1';
const lineBreak = 2;

/** One file of a day. */
interface Volume {
  entity: string;
  date: Temporal.PlainDate;
  no: number;
}

/**
 * Returns the file name: a letter for the kind of file, then entity, volume, month as one
 * character, and day.
 */
const nameOf = (letter: 'P' | 'C', { entity, date, no }: Volume): string => {
  const month = '123456789ABC'.charAt(date.month - 1);
  return `${letter}${entity}${no}${month}${String(date.day).padStart(2, '0')}`;
};

interface Sums {
  count: number;
  first_total: Centavos;
  second_total: Centavos;
  latest_due: Temporal.PlainDate | null;
}

/** Counts a file's records, header and trailer included. */
const recordsOf = ({ count }: Sums): number => count + 2;

function controlOf(volume: Volume, sums: Sums): WrittenFile {
  const { entity, date } = volume;
  const count = recordsOf(sums);
  const bytes = count * (header.length + lineBreak);
  return {
    name: nameOf('C', volume),
    lines: [
      controlHeader.encode({ date, entity, refresh: nameOf('P', volume), bytes }),
      controlLot.encode({ ...sums, lot, count }),
      controlEnd.encode({ ...sums, count }),
    ],
  };
}

function openRefresh(volume: Volume): LineWriter {
  const { entity, date, no } = volume;
  if (no > volumes) throw new RangeError(`it takes at most ${volumes} files a day.`);
  const sums: Sums = { count: 0, first_total: zero, second_total: zero, latest_due: null };
  return {
    name: nameOf('P', volume),
    head: () => header.encode({ entity, date, lot }),
    line({ request }) {
      const { due1, total1, due2, total2, last_due } = request;
      const line = detail.encode({
        debt: onlyDebt,
        user: bankPaymentCode(request),
        first_due: due1,
        first_total: total1,
        second_due: due2,
        second_total: total2,
      });
      sums.count += 1;
      sums.first_total = plus(sums.first_total, total1);
      sums.second_total = plus(sums.second_total, total2 ?? zero);
      const latest = sums.latest_due;
      if (!latest || compareDays(last_due, latest) > 0) sums.latest_due = last_due;
      return line;
    },
    tail: () => trailer.encode({ ...sums, count: recordsOf(sums) }),
    companion: () => controlOf(volume, sums),
  };
}

/** Requests payable through Link Pagos: the Refresh and its control file. */
export const linkRefresh: OutboundRail = {
  name: 'link',
  title: 'Link Pagos, publication (Refresh and control)',
  channel: 'link_pagos',
  room: { count: 99_999_997, total: centavos(Number.MAX_SAFE_INTEGER) },
  hasCompanion: true,
  createWriter: ({ linkEntity }, date, no) =>
    openRefresh({ entity: configured(linkEntity, 'LINK_ENTITY'), date, no }),
};
