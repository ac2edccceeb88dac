/** Files of networks, written from the vendors' descriptions, without the service's own layouts. */
export interface Payment {
  /** Barcode or payment code. */
  code: string;
  /** Centavos. */
  amount: number;
  /** AAAAMMDD */
  paidOn: string;
  /** HHMM */
  at?: string;
}

export const zeros = (value: number | string, length: number): string =>
  String(value).padStart(length, '0');
export const spaces = (text: string, length: number): string => text.padEnd(length, ' ');
export const file = (lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');

const sum = (payments: Payment[]): number => payments.reduce((all, one) => all + one.amount, 0);

/**
 * Returns header, batches of payments with barcode and instrument, and trailers; 128 characters per
 * line.
 */
export function pagoFacilLines(
  date: string,
  payments: Payment[],
  { client = '000000515', perBatch = 1_000 } = {},
): string[] {
  const lines = [
    spaces(`1${date}${spaces('PAGO FACIL', 25)}${client}${spaces('COOPERATIVA ÑANDÚ', 35)}`, 128),
  ];
  let batches = 0;
  for (let at = 0; at < payments.length; at += perBatch) {
    batches += 1;
    const own = payments.slice(at, at + perBatch);
    lines.push(spaces(`3${date}${zeros(batches, 6)}LOTE`, 128));
    own.forEach((one, index) => {
      const head = `5${zeros(index + 1, 5)}01${date}${date}${spaces('', 21)}PES${zeros(one.amount, 10)}`;
      lines.push(spaces(`${head}A00123${one.paidOn}${one.at ?? '0930'}0001`, 128));
      lines.push(spaces(`6${spaces(one.code, 80)}1`, 128));
      lines.push(spaces(`7PESE${spaces('', 80)}${zeros(one.amount, 15)}`, 128));
    });
    lines.push(
      spaces(`8${date}${zeros(batches, 6)}${zeros(own.length, 7)}${zeros(sum(own), 12)}`, 128),
    );
  }
  const count = zeros(payments.length, 7);
  lines.push(spaces(`9${date}${zeros(batches, 6)}${count}${zeros(sum(payments), 12)}`, 128));
  return lines;
}

/** Returns lines of 73 characters. A barcode longer than its 50 columns continues beyond them. */
export function rapipagoLines(
  date: string,
  payments: Payment[],
  { company = 'RECAUDO' } = {},
): string[] {
  return [
    spaces(`00000000${spaces(company, 20)}${date}COBRANZAS   RAPIPAGO`, 73),
    ...payments.map((one) => spaces(`${one.paidOn}${zeros(one.amount, 15)}${one.code}`, 73)),
    spaces(`99999999${zeros(payments.length, 8)}${zeros(sum(payments), 18)}`, 73),
  ];
}

/** Returns a Pago Mis Cuentas file (COB); 100 characters per line. */
export function pmcLines(date: string, payments: Payment[], { company = '0515' } = {}): string[] {
  const trailer = `9400${company}${date}${zeros(payments.length, 7)}${zeros('', 7)}`;
  return [
    `0400${company}${date}`.padEnd(100, '0'),
    ...payments.map((one, index) =>
      `5${spaces(one.code, 19)}${spaces(one.code, 20)}000000000${one.paidOn}${zeros(one.amount, 11)}2${date}HB${zeros(index % 10_000, 4)}001`.padEnd(
        100,
        '0',
      ),
    ),
    `${trailer}${zeros(sum(payments), 11)}`.padEnd(100, '0'),
  ];
}

/** Returns a Link Pagos file (Extract); 96 characters per line. */
export function linkLines(date: string, payments: Payment[], { entity = '515' } = {}): string[] {
  return [
    spaces(`0${entity}${date.slice(2)}`, 96),
    ...payments.map((one) =>
      spaces(
        `100001001${zeros(one.code, 19)}${zeros(one.amount, 12)}${one.paidOn.slice(2)}Señora López`,
        96,
      ),
    ),
    spaces(`2${zeros(payments.length, 6)}${zeros(sum(payments), 16)}`, 96),
  ];
}
