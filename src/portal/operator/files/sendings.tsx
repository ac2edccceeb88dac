import type { ComponentChildren } from 'preact';
import { EmptyState, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import type { Sending, SendingResult } from '../../../rails/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Message } from '../../frame/message.tsx';
import { railText } from './labels.ts';
import { fileTexts } from './texts.ts';

interface SendingsModel {
  sendings: readonly Sending[];
  /** Forms that prepare files, by rail. False for read-only users. */
  forms: ReadonlyMap<string, ComponentChildren>;
  /** Result of the form just sent. */
  sent?: SendingResult | undefined;
}

function waitingText({ lang }: ServiceVisit, { waiting }: Sending): string {
  const { sendings: texts } = fileTexts[lang];
  if (waiting === null) return texts.publication;
  if (waiting.debits === 0) return texts.none;
  return `${waiting.debits} · ${moneyText(lang, waiting.total)}`;
}

function Ready({ visit, sending: { files } }: { visit: ServiceVisit; sending: Sending }) {
  const { sendings: texts } = fileTexts[visit.lang];
  if (files.length === 0) return <>{texts.none}</>;
  return (
    <>
      {files.map(({ id, name }) => (
        <div key={id}>
          <a href={visit.at(`/files/${id}`)}>
            <bdi>{name}</bdi>
          </a>
        </div>
      ))}
    </>
  );
}

function Outcome({ visit, sent }: { visit: ServiceVisit; sent: SendingResult }) {
  const { lang } = visit;
  const { sendings: texts } = fileTexts[lang];
  const { files, leftOut } = sent;
  return (
    <>
      {files.length === 0 ? (
        <Notice tone="calm" title={texts.nothing} />
      ) : (
        <Notice tone="good" title={texts.done({ count: files.length })} />
      )}
      {leftOut.length > 0 && (
        <Section title={texts.leftOut} id="left-out">
          <Table
            lang={lang}
            caption={texts.leftOut}
            captionUnseen
            rows={leftOut.slice(0, 100)}
            empty={null}
            columns={[
              {
                key: 'request',
                title: texts.request,
                heads: true,
                cell: (one) => String(one.requestId),
              },
              { key: 'account', title: texts.account, cell: (one) => one.accountId },
              {
                key: 'reason',
                title: texts.reason,
                cell: (one) => <Message lang={lang}>{one.reason ?? ''}</Message>,
              },
            ]}
          />
        </Section>
      )}
    </>
  );
}

export function sendingsPage(visit: ServiceVisit, { sendings, forms, sent }: SendingsModel): Page {
  const { lang } = visit;
  const { sendings: texts, title } = fileTexts[lang];
  const prepares = visit.may('files.manage');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: visit.at('/files'), label: title }}
        />
        {sent && <Outcome visit={visit} sent={sent} />}
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={sendings}
          empty={<EmptyState title={texts.empty} text={texts.emptyWhy} />}
          columns={[
            {
              key: 'file',
              title: texts.file,
              heads: true,
              cell: (one) => railText(lang, one.rail),
            },
            { key: 'waiting', title: texts.waiting, cell: (one) => waitingText(visit, one) },
            {
              key: 'ready',
              title: texts.ready,
              cell: (one) => <Ready visit={visit} sending={one} />,
            },
            ...(prepares
              ? [
                  {
                    key: 'act',
                    title: texts.act,
                    cell: (one: Sending) => forms.get(one.rail),
                  },
                ]
              : []),
          ]}
        />
      </>
    ),
  };
}
