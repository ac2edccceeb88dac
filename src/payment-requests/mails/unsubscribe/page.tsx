import type { ComponentChildren } from 'preact';
import { isolated } from '../../../kernel/text.ts';
import { styles } from '../../../platform/pages/assets.ts';
import type { Issuer, Lang } from '../../../platform/pages/model.ts';
import { htmlDocument } from '../../../platform/pages/shell.tsx';
import { unsubscribeTexts } from './texts.ts';

/** The payer of a link, and whether emails to them are stopped. */
export interface UnsubscribeModel {
  lang: Lang;
  path: string;
  issuer: Issuer;
  email: string;
  stopped: boolean;
  resumed: boolean;
  sandbox: boolean;
}

type CardProps = { title: string; lead?: string; children: ComponentChildren };

const Card = ({ title, lead, children }: CardProps) => (
  <article class="card card-calm">
    <h1>{title}</h1>
    {lead !== undefined && <p class="lead">{lead}</p>}
    {children}
  </article>
);

const Ask = ({ action, label, quiet }: { action: string; label: string; quiet: boolean }) => (
  <form method="post" action={action}>
    <button type="submit" class={quiet ? 'button button-quiet' : 'button'}>
      {label}
    </button>
  </form>
);

/** Renders the page with a confirmation, because mail scanners open links too. */
export function unsubscribePage(model: UnsubscribeModel): string {
  const { lang, path, issuer, stopped, resumed, sandbox } = model;
  const texts = unsubscribeTexts[lang];
  const [email, account] = [isolated(model.email), isolated(issuer.name)];
  const query = lang === 'es' ? '' : `?lang=${lang}`;
  const title = stopped ? texts.stopped : resumed ? texts.resumed : texts.title;
  return htmlDocument({
    page: { lang, assets: { css: styles.path }, pageUrl: path },
    title: `${title} – ${account}`,
    issuer,
    sandbox,
    children: stopped ? (
      <Card title={title} lead={texts.stoppedLead({ email, account })}>
        <p>{texts.receipts}</p>
        <Ask action={`${path}/undo${query}`} label={texts.resume} quiet />
      </Card>
    ) : (
      <Card title={title} {...(!resumed && { lead: texts.ask({ email, account }) })}>
        <p>{texts.receipts}</p>
        <Ask action={`${path}${query}`} label={texts.stop} quiet={resumed} />
      </Card>
    ),
  });
}

/** Renders the page of an unknown link. */
export function unknownPage(lang: Lang, path: string): string {
  const texts = unsubscribeTexts[lang];
  return htmlDocument({
    page: { lang, assets: { css: styles.path }, pageUrl: path },
    title: texts.unknown,
    children: (
      <Card title={texts.unknown}>
        <p>{texts.unknownLead}</p>
      </Card>
    ),
  });
}
