import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PayerMails } from '../../../src/payment-requests/index.ts';
import { testOperator } from '../actors.ts';
import { sealEvents } from '../sealed.ts';
import { type TestService, testAccount } from '../service.ts';

/** An e-mail as the sink received it. */
export interface ReadMail {
  to: string;
  subject: string;
  text: string;
  /** The message as it was sent. */
  raw: string;
}

const header = (head: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(head)?.[1] ?? '';

const bytesOfQuoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  );

const decodedWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_all, kind: string, word: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64')
        : bytesOfQuoted(word.replaceAll('_', ' '))
      ).toString('latin1'),
    )
    .replace(/\r?\n[ \t]/g, ' ');

const textIn = (part: string): string => {
  const [head = '', ...rest] = part.split(/\r?\n\r?\n/);
  const body = rest.join('\n\n');
  const encoding = header(head, 'Content-Transfer-Encoding').toLowerCase();
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? bytesOfQuoted(body)
        : Buffer.from(body, 'latin1');
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
};

function readMail(raw: string): ReadMail {
  const [head = ''] = raw.split(/\r?\n\r?\n/);
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1];
  const part = boundary === undefined ? raw : (raw.split(`--${boundary}`)[1] ?? '').trimStart();
  return {
    to: header(head, 'To'),
    subject: Buffer.from(decodedWords(header(head, 'Subject')), 'latin1').toString('utf8'),
    text: textIn(part),
    raw,
  };
}

/** Processes the e-mails to payers of a service without a worker, and reads the sent ones. */
export function mailDesk(service: TestService) {
  const { payerMails, sendMails } = service.service.parts;
  const sealed = (): Promise<void> => sealEvents(service);
  const folder = path.join(service.config.DATA_DIR, 'mail');
  const read = async (): Promise<ReadMail[]> => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.eml'));
    return await Promise.all(
      names.map(async (name) => readMail(await readFile(path.join(folder, name), 'latin1'))),
    );
  };
  return {
    sealed,
    /** Records, writes and sends all e-mails that are due. */
    async work(): Promise<void> {
      await sealed();
      await payerMails.work();
      while ((await sendMails()) > 0);
    },
    read,
    /** Returns the e-mails to one address, in no particular order. */
    readOf: async (email: string): Promise<ReadMail[]> =>
      (await read()).filter(({ to }) => to.includes(email)),
    set: (settings: Partial<Settings>, accountId = testAccount): Promise<boolean> =>
      payerMails.changeSettings({
        accountId,
        settings: { ...allOff, ...settings },
        actor: testOperator,
      }),
  };
}

type Settings = Parameters<PayerMails['changeSettings']>[0]['settings'];

export const allOff: Settings = {
  request: false,
  reminder: false,
  receipt: false,
  reminderDays: 3,
  languages: 'es',
  attachesCoupon: false,
};
