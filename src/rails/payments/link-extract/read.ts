import { envelopeReader } from '../../files/envelope.ts';
import { configured, type InboundRail } from '../../files/format.ts';
import { paidOf } from '../payment.ts';
import { detail, header, trailer } from './layout.ts';

export const linkExtract: InboundRail = {
  name: 'link',
  title: 'Link Pagos, collections (Extract)',
  channel: 'link_pagos',
  label: 'Link Pagos',
  createReader: ({ linkEntity, today }) =>
    envelopeReader({
      kindOf(line) {
        if (line.startsWith('0')) return 'header';
        return line.startsWith('2') ? 'trailer' : 'detail';
      },
      header,
      checkHeader({ entity }, refuse) {
        const ours = configured(linkEntity, 'LINK_ENTITY');
        if (entity !== ours) refuse('entity', `${ours} (LINK_ENTITY)`);
      },
      detailOf: () => detail,
      item: (fields, _header, refuse) => ({
        code: { kind: 'typed', ...fields.user },
        ...paidOf(fields, today, refuse),
      }),
      trailer,
      checkTrailer() {},
    }),
};
