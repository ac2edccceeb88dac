import type { Channels } from './channel.ts';
import { channelCodes, type PayerChannel } from './codes.ts';

/** This deployment's identifiers in other systems, from the configuration. Null if unset. */
export interface Identifiers {
  /** Company code at Pago Mis Cuentas. */
  pmcCompany: string | null;
  /** Entity code at Link Pagos. */
  linkEntity: string | null;
  /** Client code at Pago Fácil and company code at Rapipago, whose files are imported. */
  pagoFacilClient: string | null;
  rapipagoCompany: string | null;
  /** Provider code of the transfer accounts. */
  cvuPsp: string | null;
  /** Reverse domain of the acceptor in QR codes. */
  qrAcceptor: string | null;
  /** Other fields that the scheme requires in a QR code. */
  qrAdministratorCuit: string;
  qrMcc: string;
}

export interface Connections {
  online: Channels;
  /** True if a connector reports incoming transfers. */
  transfers: boolean;
}

/** This deployment's fields in the text of a QR. */
export interface QrIdentity {
  acceptorDomain: string;
  administratorCuit: string;
  mcc: string;
}

/**
 * Channels offered to payers, with our identifiers there. Null if not offered. Depends on the
 * configuration alone, so that an outage does not withdraw a channel.
 */
export interface Offer {
  credit_card: true | null;
  debit_card: true | null;
  banelco_pmc: { company: string } | null;
  link_pagos: { entity: string } | null;
  DEBIN: true | null;
  /** `psp` may be null if a connector opens the accounts. */
  wire_transfer: { psp: string | null } | null;
  /** Cash networks with imported files, by name. */
  non_banking: { networks: readonly [string, ...string[]] } | null;
  qr: QrIdentity | null;
}

function networksOf({ pagoFacilClient, rapipagoCompany }: Identifiers): string[] {
  return [
    ...(pagoFacilClient === null ? [] : ['Pago Fácil']),
    ...(rapipagoCompany === null ? [] : ['Rapipago']),
  ];
}

export function offerOf(known: Identifiers, { online, transfers }: Connections): Offer {
  const connected = (code: PayerChannel) => (online.codes.has(code) ? true : null);
  const { pmcCompany: company, linkEntity: entity, cvuPsp: psp, qrAcceptor } = known;
  const [network, ...others] = networksOf(known);
  return {
    credit_card: connected('credit_card'),
    debit_card: connected('debit_card'),
    banelco_pmc: company === null ? null : { company },
    link_pagos: entity === null ? null : { entity },
    DEBIN: connected('DEBIN'),
    // Without a connector that reports transfers, money would arrive unnoticed.
    wire_transfer:
      transfers && (psp !== null || online.codes.has('wire_transfer')) ? { psp } : null,
    non_banking: network === undefined ? null : { networks: [network, ...others] },
    // A QR needs a CVU provider too, because resolving its code shows wallets the destination
    // account.
    qr:
      !online.codes.has('qr') || qrAcceptor === null || psp === null
        ? null
        : {
            acceptorDomain: qrAcceptor,
            administratorCuit: known.qrAdministratorCuit,
            mcc: known.qrMcc,
          },
  };
}

/** Returns the offered channels, in the interface's order. */
export const offeredChannels = (offer: Offer): PayerChannel[] =>
  channelCodes.filter((code) => offer[code] !== null);
