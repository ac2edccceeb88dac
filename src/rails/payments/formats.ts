import type { InboundRail, OutboundRail } from '../files/format.ts';
import { linkExtract } from './link-extract/read.ts';
import { linkRefresh } from './link-refresh/write.ts';
import { pagoFacil } from './pago-facil/read.ts';
import { pmcCob } from './pmc-cob/read.ts';
import { pmcFac } from './pmc-fac/write.ts';
import { rapipago } from './rapipago/read.ts';

export const inboundRails: readonly InboundRail[] = [pagoFacil, rapipago, pmcCob, linkExtract];
export const outboundRails: readonly OutboundRail[] = [pmcFac, linkRefresh];
