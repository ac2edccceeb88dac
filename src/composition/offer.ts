import type { Config } from '../config/index.ts';
import { configuredChannels } from '../connectors/index.ts';
import {
  type Channels,
  type Connections,
  channelsTogether,
  type Offer,
  offeredChannels,
  offerOf,
} from '../money/channels/index.ts';
import type { QrTerms } from '../qr/index.ts';
import type { DebitIdentity } from '../rails/index.ts';
import { simulatedCodes } from '../sandbox/index.ts';

/** Returns the channels offered to payers, by configuration and connections. */
export const offeredBy = (config: Config, connections: Connections): Offer =>
  offerOf(
    {
      pmcCompany: config.PMC_COMPANY,
      linkEntity: config.LINK_ENTITY,
      pagoFacilClient: config.PAGO_FACIL_CLIENT,
      rapipagoCompany: config.RAPIPAGO_COMPANY,
      cvuPsp: config.CVU_PSP,
      qrAcceptor: config.QR_ACCEPTOR,
      qrAdministratorCuit: config.QR_ADMINISTRATOR_CUIT,
      qrMcc: config.QR_MCC,
    },
    connections,
  );

export const qrTermsOf = (config: Config, offer: Offer): QrTerms => ({
  acceptorDomain: config.QR_ACCEPTOR,
  administratorCuit: config.QR_ADMINISTRATOR_CUIT,
  mcc: config.QR_MCC,
  offered: offer.qr !== null,
});

/** Returns this deployment's identifiers at banks and card processors. */
export const debitIdentityOf = (config: Config): DebitIdentity => ({
  directDebitService: config.DIRECT_DEBIT_SERVICE,
  macroAgreement: config.MACRO_AGREEMENT,
  macroService: config.MACRO_SERVICE,
  visaEstablishment: config.VISA_ESTABLISHMENT,
  visaDebitEstablishment: config.VISA_DEBIT_ESTABLISHMENT,
  mastercardEstablishment: config.MASTERCARD_ESTABLISHMENT,
  visaDebitPrefixes: config.VISA_DEBIT_PREFIXES,
  exchangeBrands: config.CARD_EXCHANGE_BRANDS,
});

/**
 * Combines the configured connectors with the simulator, if any, which serves the sandbox's other
 * channels.
 */
export const connectionsOf = (channels: Channels, simulated: Channels | null): Connections => ({
  online: channelsTogether(simulated ? [channels, simulated] : [channels]),
  transfers: simulated !== null || channels.codes.has('wire_transfer'),
});

/** The simulator's channels, for processes that never charge. */
const simulatedOffer: Channels = {
  codes: new Set(simulatedCodes),
  choose: () => null,
  named: () => null,
};

/** Returns the reason why no channel is offered, or null if one is. */
export const nothingOffered = (offer: Offer): string | null =>
  offeredChannels(offer).length > 0
    ? null
    : 'No channel is configured: every payment request is refused. Set CONNECTORS or the ' +
      'identifiers of networks (docs/reference/configuration.md, Channels).';

/** Returns a deployment's offer, for commands without a server. */
export const offerFor = (config: Config): Offer =>
  offeredBy(
    config,
    connectionsOf(
      configuredChannels(config.CONNECTORS ?? []),
      config.ENVIRONMENT === 'sandbox' ? simulatedOffer : null,
    ),
  );
