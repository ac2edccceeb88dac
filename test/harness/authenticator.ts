import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** Faults to put into a response; none by default. */
export interface Wrong {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  /** If false, the flag "user present" or "user verified" is not set. */
  present?: boolean;
  verified?: boolean;
  counter?: number;
  /** Signs with an unknown key. */
  key?: Authenticator;
}

export interface Authenticator {
  id: string;
  /** Returns a browser's response to creating a passkey, or to presenting one. */
  makes(options: Asked, wrong?: Wrong): string;
  shows(options: Asked, wrong?: Wrong): string;
  sign(bytes: Buffer): Buffer;
}

/** Passkey options of a page. */
export interface Asked {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** Encodes the head of a CBOR item of up to 65,535 bytes or members. */
const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([major * 32 + length])
    : length < 256
      ? Buffer.from([major * 32 + 24, length])
      : Buffer.from([major * 32 + 25, length >> 8, length & 255]);
const bytes = (content: Buffer): Buffer => Buffer.concat([head(2, content.length), content]);
const text = (content: string): Buffer =>
  Buffer.concat([head(3, content.length), Buffer.from(content)]);

/** Creates a software authenticator, which can also send faulty responses. */
export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, 'base64url')),
  ]);

  const client = (type: string, { challenge }: Asked, wrong: Wrong): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const told = (asked: Asked, wrong: Wrong, attested: Buffer): Buffer => {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? counter);
    const flags =
      (wrong.present === false ? 0 : 1) |
      (wrong.verified === false ? 0 : 4) |
      (attested.length > 0 ? 0x40 : 0);
    const rpId = wrong.rpId ?? asked.rpId ?? asked.rp?.id ?? '';
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  };

  const answer = (response: Record<string, unknown>): string =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  const self: Authenticator = {
    id: id.toString('base64url'),
    sign: (content) => createSign('sha256').update(content).sign(privateKey),
    makes(asked, wrong = {}) {
      const length = Buffer.from([id.length >> 8, id.length & 255]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cose]);
      const attestation = Buffer.concat([
        head(5, 3),
        text('fmt'),
        text('none'),
        text('attStmt'),
        head(5, 0),
        text('authData'),
        bytes(told(asked, wrong, attested)),
      ]);
      return answer({
        clientDataJSON: client('webauthn.create', asked, wrong).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    shows(asked, wrong = {}) {
      const said = client('webauthn.get', asked, wrong);
      const data = told(asked, wrong, Buffer.alloc(0));
      const signature = (wrong.key ?? self).sign(Buffer.concat([data, sha256(said)]));
      return answer({
        clientDataJSON: said.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
  return self;
}
