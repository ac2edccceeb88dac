import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import nodemailer from 'nodemailer';
import type { Transport } from './send.ts';

/** Shorter together than a sender's lease on its mails, so that nobody else sends them meanwhile. */
const patience = { connectionTimeout: 30_000, greetingTimeout: 30_000, socketTimeout: 60_000 };

/** Through a mail server: `smtps://user:password@mail.example.com`. */
export function smtpTransport(url: string, from: string): Transport {
  const server = nodemailer.createTransport({ url, ...patience }, { from });
  return async ({ recipient, subject, body, messageId }) => {
    await server.sendMail({ to: recipient, subject, text: body, messageId });
  };
}

/** Into a folder, one file for each mail as it would be sent (RFC 5322): for the desk. */
export function folderTransport(folder: string, from: string): Transport {
  const writer = nodemailer.createTransport({ streamTransport: true, buffer: true }, { from });
  return async ({ recipient, subject, body, messageId }) => {
    const { message } = await writer.sendMail({
      to: recipient,
      subject,
      text: body,
      messageId,
    });
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${messageId.replace(/[^\w.@-]/g, '')}.eml`);
    // Renamed when it is whole: who watches the folder never reads half a mail.
    await writeFile(`${file}.part`, message as Buffer);
    await rename(`${file}.part`, file);
  };
}
