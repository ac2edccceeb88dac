import { chmod, mkdir, open, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { EmailHead } from './layout.ts';
import type { Transport } from './send.ts';

/**
 * A mail server that stays silent fails the attempt before the lease ends, so that no other worker
 * sends the email at the same time.
 */
const patience = { connectionTimeout: 30_000, greetingTimeout: 30_000, socketTimeout: 60_000 };

/** Puts the sender's name on the service's own address. */
function headOf(from: string, head: EmailHead | undefined) {
  if (head === undefined) return {};
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
  return {
    from: { name: head.sender, address },
    ...(head.replyTo !== null && { replyTo: head.replyTo }),
  };
}

const messageOf = (
  {
    recipient,
    subject,
    body,
    page,
    messageId,
    headers = {},
    attachments = [],
    head,
  }: Parameters<Transport>[0],
  from: string,
) => ({
  ...headOf(from, head),
  to: recipient,
  subject,
  text: body,
  ...(page !== undefined && { html: page }),
  messageId,
  headers,
  attachments: [...attachments],
});

/** Loads the library with the first email, to save memory in processes that send none. */
const loadMailer = async () => (await import('nodemailer')).default;

/** Sends through a mail server, such as `smtps://user:password@mail.example.com`. */
export function smtpTransport(url: string, from: string): Transport {
  const open = async () => (await loadMailer()).createTransport({ url, ...patience }, { from });
  let server: ReturnType<typeof open> | null = null;
  return async (mail) => {
    server ??= open();
    await (await server).sendMail(messageOf(mail, from));
  };
}

/** Signs in to the mail server and disconnects. Rejects after 10 seconds without an answer. */
export async function reachMailServer(url: string): Promise<void> {
  const mailer = await loadMailer();
  const timeout = 10_000;
  const waits = { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout };
  const server = mailer.createTransport({ url, ...waits });
  try {
    await server.verify();
  } finally {
    server.close();
  }
}

async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** Writes and syncs a file with mode 0600, whatever the umask or volume defaults. */
async function writePrivate(file: string, content: Buffer): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes each email as a file (RFC 5322), for development. Emails contain signing links, so folder
 * and files are readable by their owner only.
 */
export async function folderTransport(folder: string, from: string): Promise<Transport> {
  await openFolder(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile()) await chmod(path.join(folder, entry.name), 0o600);
  }
  return async (mail) => {
    const { messageId } = mail;
    const mailer = await loadMailer();
    const writer = mailer.createTransport({ streamTransport: true, buffer: true }, { from });
    const { message } = await writer.sendMail(messageOf(mail, from));
    // The folder may have been deleted.
    await openFolder(folder);
    const file = path.join(folder, `${messageId.replace(/[^\w.@-]/g, '')}.eml`);
    // Rename only complete files, so that watchers never read a partial one.
    await writePrivate(`${file}.part`, message as Buffer);
    await rename(`${file}.part`, file);
  };
}
