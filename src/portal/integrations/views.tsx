import type { ComponentChildren } from 'preact';
import { type ApiKey, type PermissionPreset, permissionPresets } from '../../accounts/index.ts';
import {
  Badge,
  CopyButton,
  EmptyState,
  Notice,
  Section,
} from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { quickStart } from './quick-start.ts';
import { integrationTexts } from './texts.ts';

interface IntegrationsModel {
  keys: readonly ApiKey[];
  now: Temporal.Instant;
  /** Public origin of the API. */
  origin: string;
  /** Due day of the example. */
  day: Temporal.PlainDate;
}

export function integrationsPage(visit: AccountVisit, model: IntegrationsModel): Page {
  const { lang } = visit;
  const texts = integrationTexts[lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <>
              <a class="button button-quiet" href={visit.at('/webhooks')}>
                {texts.webhooks}
              </a>
              <a class="button button-quiet" href={visit.at('/log')}>
                {texts.log}
              </a>
            </>
          }
        />
        <Keys visit={visit} {...model} />
        <Section id="quick-start" title={texts.quick.title}>
          <p>
            {texts.quick.base}: <code>{model.origin}</code> ·{' '}
            <a href="/docs">{texts.quick.reference}</a>
          </p>
          <p>{texts.quick.lead}</p>
          {quickStart(model.origin, model.day).map(({ name, code }) => (
            <details key={name}>
              <summary>{name}</summary>
              <pre class="program">
                <code>{code}</code>
              </pre>
            </details>
          ))}
        </Section>
      </>
    ),
  };
}

function Keys({ visit, keys, now }: IntegrationsModel & { visit: AccountVisit }) {
  const { lang, at } = visit;
  const { keys: texts, permissions, onlyFrom } = integrationTexts[lang];
  const manages = visit.may('keys.manage');
  const moment = (instant: Temporal.Instant | null) =>
    instant === null ? texts.never : momentText(lang, instant);
  const create = manages && (
    <a class="button" href={at('/integrations/keys/new')}>
      {texts.new}
    </a>
  );
  return (
    <Section id="keys" title={texts.title} actions={create || undefined}>
      <Table
        lang={lang}
        caption={texts.title}
        captionUnseen
        rows={keys}
        empty={<EmptyState title={texts.none} />}
        columns={[
          { key: 'name', title: texts.name, heads: true, cell: ({ name }) => <bdi>{name}</bdi> },
          { key: 'prefix', title: texts.prefix, cell: ({ prefix }) => <code>{prefix}</code> },
          {
            key: 'permissions',
            title: texts.permissions,
            cell: (one) => (
              <>
                {one.permissions.map((name) => permissions[name]).join(', ')}
                {one.ranges !== null && (
                  <p class="hint">{onlyFrom({ ranges: one.ranges.join(', ') })}</p>
                )}
              </>
            ),
          },
          { key: 'created', title: texts.created, cell: (one) => moment(one.created_at) },
          { key: 'used', title: texts.used, cell: (one) => moment(one.last_used_at) },
          { key: 'expires', title: texts.expires, cell: (one) => moment(one.expires_at) },
          {
            key: 'state',
            title: texts.state,
            cell: (one) => <KeyState visit={visit} one={one} now={now} />,
          },
        ]}
      />
    </Section>
  );
}

const isPast = (instant: Temporal.Instant | null, now: Temporal.Instant): boolean =>
  instant !== null && Temporal.Instant.compare(instant, now) <= 0;

type KeyStateProps = { visit: AccountVisit; one: ApiKey; now: Temporal.Instant };

function KeyState({ visit, one, now }: KeyStateProps) {
  const { keys: texts } = integrationTexts[visit.lang];
  if (one.revoked_at !== null) return <Badge tone="calm">{texts.revoked}</Badge>;
  if (isPast(one.expires_at, now)) return <Badge tone="calm">{texts.expired}</Badge>;
  return (
    <>
      {one.replaced_by === null ? (
        <Badge tone="good">{texts.active}</Badge>
      ) : (
        <Badge tone="wait">{texts.replaced}</Badge>
      )}
      {visit.may('keys.manage') &&
        (['rotate', 'restrict', 'revoke'] as const)
          .filter((act) => act !== 'rotate' || one.replaced_by === null)
          .map((act) => (
            <>
              {' '}
              <a href={visit.at(`/integrations/keys/${one.id}/${act}`)}>
                {texts[act]}
                <span class="unseen"> {one.name}</span>
              </a>
            </>
          ))}
    </>
  );
}

export function newKeyPage(
  visit: AccountVisit,
  form: ComponentChildren,
  preset: PermissionPreset,
): Page {
  const title = integrationTexts[visit.lang].keys.new;
  return {
    title,
    body: (
      <>
        <PageHead title={title} />
        <Presets visit={visit} chosen={preset} />
        {form}
      </>
    ),
  };
}

/** Links to the form with a preset of permissions. */
function Presets({ visit, chosen }: { visit: AccountVisit; chosen: PermissionPreset }) {
  const { keys: texts, presets } = integrationTexts[visit.lang];
  return (
    <p>
      {texts.presets}:{' '}
      {(Object.keys(permissionPresets) as PermissionPreset[]).map((name, place) => (
        <>
          {place > 0 && ' · '}
          <a
            href={visit.at(`/integrations/keys/new?preset=${name}`)}
            aria-current={name === chosen ? 'true' : undefined}
          >
            {presets[name]}
          </a>
        </>
      ))}
    </p>
  );
}

export function madePage({ lang, at }: AccountVisit, key: string | null): Page {
  const { keys: texts } = integrationTexts[lang];
  const title = key === null ? texts.new : texts.made;
  return {
    title,
    status: key === null ? 409 : 200,
    body: (
      <>
        <PageHead title={title} />
        {key === null ? (
          <Notice tone="wait" text={texts.twice} />
        ) : (
          <Notice tone="good" title={texts.madeLead}>
            <p>
              {texts.key}: <code>{key}</code>{' '}
              <CopyButton lang={lang} label={texts.key} value={key} />
            </p>
          </Notice>
        )}
        <p>
          <a href={at('/integrations')}>{texts.back}</a>
        </p>
      </>
    ),
  };
}
