import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Certificate, ContentInfo, EnvelopedData } from 'pkijs';
import { refusal } from './codes.ts';

/** Encrypts for one recipient. */
export interface Envelope {
  subject: string;
  /** The certificate's SHA-256 fingerprint. */
  fingerprint: string;
  /**
   * Returns CMS EnvelopedData in DER (RFC 5652): AES-256-CBC, with its key wrapped by RSA-OAEP-256
   * or ECDH.
   */
  encrypt(content: Buffer): Promise<Buffer>;
}

const contentCipher = { name: 'AES-CBC', length: 256 };

/** Creates an envelope for the certificate in a PEM or DER file. */
export const createEnvelope = async (file: string, now: Temporal.Instant): Promise<Envelope> =>
  envelopeOf({ file, bytes: await readFile(file) }, now);

/**
 * Creates an envelope for a certificate. Throws 400 if it is unreadable, not valid now, or has an
 * unsuitable key.
 */
export function envelopeOf(
  { file, bytes }: { file: string; bytes: Buffer },
  now: Temporal.Instant,
): Envelope {
  let certificate: X509Certificate;
  let recipient: Certificate;
  try {
    certificate = new X509Certificate(bytes);
    recipient = Certificate.fromBER(new Uint8Array(certificate.raw));
  } catch {
    throw refusal('certificate_unreadable', { file });
  }
  const { subject, fingerprint256, validFromDate, validToDate, publicKey } = certificate;
  const at = now.epochMilliseconds;
  if (at < validFromDate.getTime() || at > validToDate.getTime()) {
    const [from, to] = [validFromDate.toTemporalInstant(), validToDate.toTemporalInstant()];
    throw refusal('certificate_not_valid_now', { file, from, to });
  }
  if (publicKey.asymmetricKeyType !== 'rsa' && publicKey.asymmetricKeyType !== 'ec') {
    throw refusal('certificate_key_unfit', { file });
  }
  return {
    subject: subject.replaceAll('\n', ', '),
    fingerprint: fingerprint256,
    async encrypt(content) {
      const enveloped = new EnvelopedData();
      enveloped.addRecipientByCertificate(recipient, { oaepHashAlgorithm: 'SHA-256' });
      await enveloped.encrypt(contentCipher, new Uint8Array(content).buffer);
      const info = new ContentInfo({
        contentType: ContentInfo.ENVELOPED_DATA,
        content: enveloped.toSchema(),
      });
      return Buffer.from(info.toSchema().toBER());
    },
  };
}
