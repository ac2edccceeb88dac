import { TextField } from '../../platform/pages/components/field.tsx';
import { EmptyState, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Passkey } from '../../users/index.ts';
import { formTo } from '../frame/form-to.ts';
import type { OwnVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { OwnForm } from './ask.tsx';
import { passkeyTexts } from './passkey-texts.ts';

type OfferProps = { visit: OwnVisit; begin: string; next: string };

/** Offers a passkey instead of what the page asks for. */
export function OfferPasskey({ visit, begin, next }: OfferProps) {
  return (
    <OwnForm
      {...formTo(visit, begin)}
      hidden={{ next }}
      submit={passkeyTexts[visit.lang].instead}
    />
  );
}

interface Ceremony {
  /** Address that receives the authenticator's answer. */
  action: string;
  kind: 'add' | 'show';
  /** Options for the browser's API. */
  options: object;
  hidden: Readonly<Record<string, string>>;
  fault?: string | undefined;
  status?: number;
}

/** Renders the page whose script passes the challenge to the authenticator and sends its answer. */
export function ceremonyPage(visit: OwnVisit, model: Ceremony): Page {
  const { lang } = visit;
  const { action, kind, options, hidden, fault, status = 200 } = model;
  const texts = passkeyTexts[lang];
  const title = kind === 'add' ? texts.addTitle : texts.showTitle;
  return {
    title,
    status,
    body: (
      <>
        <PageHead title={title} lead={kind === 'add' ? texts.addLead : texts.showLead} />
        {fault !== undefined && <Notice tone="bad" text={fault} />}
        <form
          method="post"
          action={action}
          class="form"
          data-passkey={kind}
          data-options={JSON.stringify(options)}
          data-unable={texts.unable}
          data-stopped={texts.stopped}
        >
          <input type="hidden" name="token" value={visit.token(action)} />
          <input type="hidden" name="answer" value="" />
          {Object.entries(hidden).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <p class="hint" data-passkey-without>
            {texts.needsScript}
          </p>
          <p class="fault" role="alert" data-passkey-fault />
          <p class="form-buttons">
            <button type="submit" class="button">
              {texts.goOn}
            </button>
          </p>
        </form>
      </>
    ),
  };
}

interface PasskeysModel {
  passkeys: readonly Passkey[];
  /** True if this deployment supports passkeys. */
  offered: boolean;
  nameFault?: string | undefined;
}

export function Passkeys({ visit, ...model }: PasskeysModel & { visit: OwnVisit }) {
  const { lang } = visit;
  const { passkeys, offered, nameFault } = model;
  const texts = passkeyTexts[lang];
  if (!offered && passkeys.length === 0) return null;
  return (
    <Section id="passkeys" title={texts.title}>
      <p>{texts.why}</p>
      <Table
        lang={lang}
        caption={texts.title}
        captionUnseen
        rows={passkeys}
        empty={<EmptyState title={texts.none} />}
        columns={[
          { key: 'name', title: texts.name, heads: true, cell: ({ name }) => <bdi>{name}</bdi> },
          {
            key: 'created',
            title: texts.created,
            cell: (one) => momentText(lang, one.created_at),
          },
          {
            key: 'used',
            title: texts.used,
            cell: ({ used_at: at }) => (at === null ? texts.never : momentText(lang, at)),
          },
          {
            key: 'remove',
            title: texts.remove,
            cell: ({ id, name }) => <Remove visit={visit} id={id} name={name} />,
          },
        ]}
      />
      {offered && (
        <OwnForm {...formTo(visit, '/portal/me/passkeys/begin')} submit={texts.add}>
          <TextField
            lang={lang}
            name="name"
            label={texts.name}
            hint={texts.nameHint}
            fault={nameFault}
            maxLength={100}
            autocomplete="off"
          />
        </OwnForm>
      )}
    </Section>
  );
}

function Remove({ visit, id, name }: { visit: OwnVisit; id: number; name: string }) {
  const action = `/portal/me/passkeys/${id}/remove`;
  return (
    <form method="post" action={action}>
      <input type="hidden" name="token" value={visit.token(action)} />
      <button type="submit" class="button button-quiet">
        {passkeyTexts[visit.lang].remove}
        <span class="unseen"> {name}</span>
      </button>
    </form>
  );
}
