import type { Channels } from './channel.ts';
import { channelCodes, type PayerChannel } from './codes.ts';

/** Identifiers of this deployment in other systems, from the configuration; null if not set. */
export interface Identifiers {
  /** Company at Pago Mis Cuentas. */
  pmcCompany: string | null;
  /** Entity at Link Pagos. */
  linkEntity: string | null;
  /** Client at Pago Fácil and company at Rapipago, whose collection files are imported. */
  pagoFacilClient: string | null;
  rapipagoCompany: string | null;
  /** Provider code of the transfer accounts. */
  cvuPsp: string | null;
  /** Reverse domain of the acceptor in QR codes. */
  qrAcceptor: string | null;
  /** The other fields of the scheme in a QR code. */
  qrAdministratorCuit: string;
  qrMcc: string;
}

/** The takers connected to this deployment. */
export interface Connections {
  online: Channels;
  /** True if a connector reports incoming transfers. */
  transfers: boolean;
}

/** This deployment's data in the text of a QR. */
export interface QrIdentity {
  acceptorDomain: string;
  administratorCuit: string;
  mcc: string;
}

/**
 * This deployment's channels for payers, with its identifiers there; null if not offered. Follows
 * from the configuration alone: a channel that is down for a while stays offered.
 */
export interface Offer {
  credit_card: true | null;
  debit_card: true | null;
  banelco_pmc: { company: string } | null;
  link_pagos: { entity: string } | null;
  DEBIN: true | null;
  /** Without a provider a connector opens the accounts. */
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

/** Decides the offer; no other code does. */
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
    // An account without a connector that reports transfers would swallow them.
    wire_transfer:
      transfers && (psp !== null || online.codes.has('wire_transfer')) ? { psp } : null,
    non_banking: network === undefined ? null : { networks: [network, ...others] },
    // Wallets that resolve a code receive the destination account.
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

/** The channels that are offered, in the order of the interface. */
export const offeredChannels = (offer: Offer): PayerChannel[] =>
  channelCodes.filter((code) => offer[code] !== null);
