import { ldebliqd, rdeblimc, rdebliqc, rdebliqd } from './card-debit/read.ts';
import { deblimc, debliqc, debliqd } from './card-debit/write.ts';
import { cardsCsvAnswers, cardsJsonAnswers } from './card-exchange/read.ts';
import { cardsCsv, cardsJson } from './card-exchange/write.ts';
import type { InboundDebits, OutboundDebits } from './debit.ts';
import { directDebit220Answers } from './direct-debit-220/read.ts';
import { directDebit220 } from './direct-debit-220/write.ts';
import { directDebit350Answers } from './direct-debit-350/read.ts';
import { directDebit350 } from './direct-debit-350/write.ts';

export const outboundDebits: readonly OutboundDebits[] = [
  directDebit350,
  directDebit220,
  debliqc,
  debliqd,
  deblimc,
  cardsCsv,
  cardsJson,
];
export const inboundDebits: readonly InboundDebits[] = [
  directDebit350Answers,
  directDebit220Answers,
  rdebliqc,
  rdeblimc,
  rdebliqd,
  ldebliqd,
  cardsCsvAnswers,
  cardsJsonAnswers,
];
