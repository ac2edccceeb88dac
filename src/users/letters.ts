import { isolated, unlinked } from '../kernel/text.ts';
import type { Links } from '../platform/links.ts';
import { type LetterLink, linkMark, queueMails } from '../platform/mail/queue.ts';
import type { LinkOf } from '../platform/mail/send.ts';
import { momentText } from '../platform/pages/format.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { ServiceRole } from './acts.ts';
import type { User } from './user.ts';

export const linkKinds = ['invitation', 'reset'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** Under which letters go that are about no account. */
export const noAccount = '00000000';

const paths: Record<LinkKind, string> = {
  invitation: '/portal/invitations',
  reset: '/portal/reset',
};

export const isLinkKind = (kind: string): kind is LinkKind => Object.hasOwn(paths, kind);

/** Where the link of a letter to somebody leads. */
export const peopleLinks =
  (links: Links): LinkOf =>
  ({ accountId, kind, id, no }) => {
    if (!isLinkKind(kind)) throw new Error(`no letter has a link to a ${kind}`);
    return `${links.origin}${paths[kind]}/${links.tokenOf({ accountId, id, no }, kind)}`;
  };

interface Letter {
  accountId: string;
  id: number;
  recipient: string;
  subject: string;
  body: string;
  link: LetterLink | null;
}

/** Queues a letter in the transaction of what it tells. */
export async function queueLetter(
  tx: Queryable,
  letter: Letter,
  now: Temporal.Instant,
): Promise<void> {
  const { accountId, id } = letter;
  await tx`
    with named as (select ${accountId}::text as account_id, ${id}::bigint as mail_id),
      ${queueMails(tx, [{ ...letter, counts: false }], 'named', now)}
    select 1`;
}

type Words = Pick<Letter, 'subject' | 'body'>;
type Addressee = Pick<User, 'name' | 'lang'>;

/**
 * The letter that invites somebody. It has no name: the inviter typed it, and whoever gets the
 * letter need not know it.
 */
export function invitationWords({ lang }: Pick<User, 'lang'>, to: string | null): Words {
  const where = to === null ? 'Recaudo' : unlinked(isolated(to));
  if (lang === 'en') {
    return {
      subject: `You were invited to work in the portal of ${where}`,
      body: `Hello:\n\nYou were invited to work in the portal of ${where}. To accept, open:\n${linkMark}\n\nThe link works for 7 days, once. If you do not expect this, you need not do anything.\n`,
    };
  }
  return {
    subject: `Te invitaron a trabajar en el portal de ${where}`,
    body: `Hola:\n\nTe invitaron a trabajar en el portal de ${where}. Para aceptar, entrá a:\n${linkMark}\n\nEl enlace sirve por 7 días, una sola vez. Si no esperabas esta invitación, no hace falta que hagas nada.\n`,
  };
}

/** The letter with which somebody chooses a new password. */
export function resetWords({ name, lang }: Addressee): Words {
  const whom = unlinked(isolated(name));
  if (lang === 'en') {
    return {
      subject: 'Choose a new password',
      body: `Hello, ${whom}:\n\nTo choose a new password for the Recaudo portal, open:\n${linkMark}\n\nThe link is good for 30 minutes, once. If it was not you who asked for it, your password stays as it is.\n`,
    };
  }
  return {
    subject: 'Elegí una contraseña nueva',
    body: `Hola, ${whom}:\n\nPara elegir una contraseña nueva del portal de Recaudo, entrá a:\n${linkMark}\n\nEl enlace sirve por 30 minutos, una sola vez. Si no lo pediste vos, tu contraseña queda como estaba.\n`,
  };
}

/** What owners and whoever it concerns are told of. */
export type Notice =
  | { what: 'password_changed' | 'factor_added' | 'factor_removed' | 'sign_in_waits' }
  | { what: 'look_asked' | 'look_approved' }
  | { what: 'look_rejected'; reason: string }
  | { what: 'invited' | 'role_changed' | 'member_removed'; email: string; role: string }
  | {
      what:
        | 'key_created'
        | 'key_revoked'
        | 'webhook_added'
        | 'webhook_removed'
        | 'webhook_paused'
        | 'webhook_resumed'
        | 'webhook_secret_changed'
        | 'passkey_added'
        | 'passkey_removed'
        | 'passkey_refused';
      name: string;
    }
  | { what: 'more_changes'; topic: keyof typeof topicWords.es; count: number }
  | { what: 'service_role_changed'; service: ServiceRole | null }
  | { what: 'refunds_limited'; above: string | null }
  | { what: 'cbu_canceled' | 'cbu_changed'; cbu: string | null }
  | { what: 'cbu_asked'; cbu: string; at: Temporal.Instant; page: string };

const topicWords = {
  es: { webhooks: 'en los webhooks', keys: 'en las claves de API', members: 'en los usuarios' },
  en: { webhooks: 'of webhooks', keys: 'of API keys', members: 'of users' },
} as const;

const noticeText = {
  es: {
    more_changes: (count: number, topic: string) =>
      count === 1
        ? `hubo otro cambio ${topic}; está en el registro del portal`
        : `hubo otros ${count} cambios ${topic}; están en el registro del portal`,
    password_changed: () => 'cambió tu contraseña del portal',
    sign_in_waits: () =>
      'hubo demasiados intentos fallidos de ingresar con tu correo, y los siguientes esperan',
    factor_added: () => 'se agregó un segundo factor a tu ingreso',
    factor_removed: () => 'se quitó el segundo factor de tu ingreso',
    look_asked: () =>
      'se pidió cambiar el nombre o el logo que ven los pagadores, y espera la aprobación de quien opera el servicio',
    look_approved: () => 'se aprobó el cambio del nombre o del logo, y los pagadores ya lo ven',
    look_rejected: (reason: string) =>
      `no se aprobó el cambio del nombre o del logo (motivo: ${reason})`,
    service_role_changed: (service: ServiceRole | null) =>
      service === null
        ? 'ya no trabajás para el servicio'
        : `trabajás ahora para el servicio con el rol ${service}`,
    invited: (email: string, role: string) => `se invitó a ${email} con el rol ${role}`,
    role_changed: (email: string, role: string) => `${email} tiene ahora el rol ${role}`,
    member_removed: (email: string) => `${email} ya no trabaja para la cuenta`,
    key_created: (name: string) => `se creó la clave de API "${name}"`,
    key_revoked: (name: string) => `se revocó la clave de API "${name}"`,
    webhook_added: (name: string) => `los avisos de la cuenta van también al webhook ${name}`,
    webhook_removed: (name: string) => `se quitó el webhook ${name}`,
    webhook_paused: (name: string) => `se pausó el webhook ${name}`,
    webhook_resumed: (name: string) => `se reanudó el webhook ${name}`,
    webhook_secret_changed: (name: string) => `se cambió el secreto del webhook ${name}`,
    cbu_asked: (cbu: string) => `se pidió cambiar la CBU de cobro a la terminada en ${cbu}`,
    cbu_canceled: (cbu: string) => `no se cambia la CBU de cobro a la terminada en ${cbu}`,
    cbu_changed: (cbu: string) => `los pagos van ahora a la CBU terminada en ${cbu}`,
    cbu_removed: () => 'se quitó la CBU de cobro',
    refunds_limited: (above: string | null) =>
      above === null
        ? 'ninguna devolución del portal necesita ya a una segunda persona'
        : `las devoluciones del portal de más de ${above} necesitan a una segunda persona`,
    passkey_added: (name: string) => `se agregó la llave de acceso "${name}" a tu ingreso`,
    passkey_removed: (name: string) => `se quitó la llave de acceso "${name}" de tu ingreso`,
    passkey_refused: (name: string) =>
      `se rechazó la llave de acceso "${name}": puede que exista una copia, quitala y creá otra`,
  },
  en: {
    more_changes: (count: number, topic: string) =>
      count === 1
        ? `there was another change ${topic}; the log of the portal has it`
        : `there were ${count} more changes ${topic}; the log of the portal has them`,
    password_changed: () => 'your password for the portal was changed',
    sign_in_waits: () =>
      'there were too many failed tries to sign in with your address, and the next ones wait',
    factor_added: () => 'a second factor was added to your sign-in',
    factor_removed: () => 'the second factor was removed from your sign-in',
    look_asked: () =>
      'somebody asked for another name or logo for payers, and it waits for an operator to approve it',
    look_approved: () => 'the new name or logo was approved, and payers see it now',
    look_rejected: (reason: string) => `the new name or logo was not approved (reason: ${reason})`,
    service_role_changed: (service: ServiceRole | null) =>
      service === null
        ? 'you no longer work for the service'
        : `you now work for the service with the role ${service}`,
    invited: (email: string, role: string) => `${email} was invited with the role ${role}`,
    role_changed: (email: string, role: string) => `${email} now has the role ${role}`,
    member_removed: (email: string) => `${email} no longer works for the account`,
    key_created: (name: string) => `the API key "${name}" was created`,
    key_revoked: (name: string) => `the API key "${name}" was revoked`,
    webhook_added: (name: string) => `events of the account now also go to the webhook ${name}`,
    webhook_removed: (name: string) => `the webhook ${name} was removed`,
    webhook_paused: (name: string) => `the webhook ${name} was paused`,
    webhook_resumed: (name: string) => `the webhook ${name} was resumed`,
    webhook_secret_changed: (name: string) => `the secret of the webhook ${name} was changed`,
    cbu_asked: (cbu: string) => `somebody asked that payouts go to the CBU ending in ${cbu}`,
    cbu_canceled: (cbu: string) => `payouts do not go to the CBU ending in ${cbu}`,
    cbu_changed: (cbu: string) => `payouts now go to the CBU ending in ${cbu}`,
    cbu_removed: () => 'the CBU for payouts was removed',
    refunds_limited: (above: string | null) =>
      above === null
        ? 'no refund in the portal takes a second person any more'
        : `refunds of more than ${above} in the portal take a second person`,
    passkey_added: (name: string) => `the passkey "${name}" was added to your sign-in`,
    passkey_removed: (name: string) => `the passkey "${name}" was removed from your sign-in`,
    passkey_refused: (name: string) =>
      `the passkey "${name}" was refused: there may be a copy of it, remove it and add another`,
  },
} as const;

function factOf(lang: 'es' | 'en', notice: Notice): string {
  const texts = noticeText[lang];
  if ('email' in notice) return texts[notice.what](isolated(notice.email), notice.role);
  if ('count' in notice) return texts[notice.what](notice.count, topicWords[lang][notice.topic]);
  if ('service' in notice) return texts[notice.what](notice.service);
  if ('name' in notice) return texts[notice.what](unlinked(isolated(notice.name)));
  if ('reason' in notice) return texts[notice.what](unlinked(isolated(notice.reason)));
  if ('above' in notice) return texts[notice.what](notice.above);
  if ('cbu' in notice) {
    return notice.cbu === null ? texts.cbu_removed() : texts[notice.what](notice.cbu.slice(-4));
  }
  return texts[notice.what]();
}

/** What can still be done about it, where something can. */
function stopOf(lang: 'es' | 'en', notice: Notice): string {
  if (notice.what !== 'cbu_asked') return '';
  const { page } = notice;
  const moment = momentText(lang, notice.at);
  return lang === 'en'
    ? `It is so from ${moment} on. Until then any owner can cancel it at:\n${page}\n\n`
    : `Rige desde el ${moment}. Hasta entonces cualquier titular lo puede cancelar en:\n${page}\n\n`;
}

export function noticeWords({ lang }: Addressee, notice: Notice, where: string): Words {
  const fact = factOf(lang, notice);
  const place = unlinked(isolated(where));
  const stop = stopOf(lang, notice);
  return lang === 'en'
    ? {
        subject: `${place}: ${fact}`,
        body: `At ${place}: ${fact}.\n\n${stop}If nobody of yours did this, change your password and tell whoever operates the service.\n`,
      }
    : {
        subject: `${place}: ${fact}`,
        body: `En ${place}: ${fact}.\n\n${stop}Si no lo hizo nadie de ustedes, cambiá tu contraseña y avisá a quien opera el servicio.\n`,
      };
}
