import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../config/index.ts';
import { diskRoom } from '../platform/disk.ts';
import { databaseAddress } from '../platform/postgres/address.ts';
import { certificateEnd } from '../platform/postgres/certificate.ts';
import { inTime, longestReadMs, type MeasureParts } from './measures-reader.ts';

export type MeasuredConfig = Pick<Config, 'ANCHORS' | 'DATA_DIR' | 'DATABASE_URL' | 'ENVIRONMENT'>;

/** Reading the certificate needs a separate connection, so read it once an hour. */
const certificateEveryMs = 3_600_000;

function createCertificateReader(
  { DATABASE_URL: url, ENVIRONMENT }: MeasuredConfig,
  { wall }: MeasureParts['clocks'],
) {
  let known: { readMs: number; end: Promise<Temporal.Instant | null> } | null = null;
  return async (): Promise<Temporal.Instant | null> => {
    if (url === null) return null;
    if (known === null || wall.nowMs() - known.readMs > certificateEveryMs) {
      const { address, tls } = databaseAddress(url, { production: ENVIRONMENT === 'production' });
      known = { readMs: wall.nowMs(), end: certificateEnd(address, tls) };
    }
    return await inTime(known.end, longestReadMs).catch((error: unknown) => {
      known = null;
      throw error;
    });
  };
}

/** Measures this process's disk, and the certificate of its database server. */
export function measureMachine(
  parts: MeasureParts,
  config: MeasuredConfig,
  registry: Registry,
): void {
  const gauge = (name: string, help: string, read: () => Promise<number | null>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'min',
      async collect() {
        this.remove();
        try {
          const value = await read();
          if (value !== null) this.set(value);
        } catch (error) {
          parts.log.warn({ err: error, measure: name }, 'a metric could not be read');
        }
      },
    });
  gauge(
    'recaudo_disk_free_bytes',
    'Bytes that the service may still write on the disk of DATA_DIR',
    async () => (await diskRoom(config.DATA_DIR)).free,
  );
  const readCertificate = createCertificateReader(config, parts.clocks);
  gauge(
    'recaudo_database_certificate_end_seconds',
    'When the certificate of the database server ends; absent where connections are not encrypted',
    async () => {
      const end = await readCertificate();
      return end === null ? null : end.epochMilliseconds / 1000;
    },
  );
}
