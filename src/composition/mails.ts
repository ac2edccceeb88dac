import path from 'node:path';
import type { Config } from '../config.ts';
import { signingLinks, stillAsked } from '../mandates/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { createMailer } from '../platform/mail/send.ts';
import { folderTransport, smtpTransport } from '../platform/mail/transport.ts';
import { isLinkKind, peopleLinks } from '../users/index.ts';
import { letterLimitsOf } from './terms.ts';

/** Sends what is queued: by the configured server, or into a folder. */
export async function createMails({ sql, clocks, log }: Base, config: Config, links: Links) {
  const transport = config.SMTP_URL
    ? smtpTransport(config.SMTP_URL, config.MAIL_FROM)
    : await folderTransport(path.join(config.DATA_DIR, 'mail'), config.MAIL_FROM);
  return createMailer(sql, clocks.wall, transport, {
    log,
    domain: new URL(links.origin).host,
    linkOf: (link) => (isLinkKind(link.kind) ? peopleLinks(links) : signingLinks(links))(link),
    stillAsked: stillAsked(clocks.business),
    limitsOf: letterLimitsOf(sql, config),
  });
}
