import type { ComponentChildren } from 'preact';
import type { Centavos } from '../../../kernel/money.ts';
import type { OpenTransfers, OrderedOne, PayoutFile } from '../../../money/payouts/index.ts';
import { EmptyState, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../../platform/pages/format.ts';
import { fourEyesTexts } from '../../four-eyes/texts.ts';
import { Proposals } from '../../four-eyes/views.tsx';
import { AccountName } from '../../frame/account-name.tsx';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Message } from '../../frame/message.tsx';
import { ListPager, type Paged, type ProposalLists } from '../four-eyes/pager.tsx';
import { payoutTexts } from './texts.ts';

interface PayoutsModel extends ProposalLists {
  open: readonly OpenTransfers[];
  /** Forms that put transfers into a file, by reference. */
  forms: ReadonlyMap<string, ComponentChildren>;
  /** The form that puts all of them into one file. */
  all: ComponentChildren;
  files: Paged<PayoutFile>;
  limit: Centavos;
}

type TransfersProps = Pick<PayoutsModel, 'open' | 'forms' | 'all'> & { visit: ServiceVisit };

function Transfers({ visit, open, forms, all }: TransfersProps) {
  const { lang } = visit;
  const texts = payoutTexts[lang];
  return (
    <Section title={texts.transfers} id="transfers">
      <p>{texts.transfersLead}</p>
      {open.length > 1 && all}
      <Table
        lang={lang}
        caption={texts.transfers}
        captionUnseen
        rows={open}
        empty={<p>{texts.noTransfers}</p>}
        columns={[
          {
            key: 'reference',
            title: fourEyesTexts[lang].reference,
            heads: true,
            cell: (one) => <bdi>{one.reference}</bdi>,
          },
          { key: 'payouts', title: texts.payouts, number: true, cell: (one) => one.payouts },
          {
            key: 'total',
            title: texts.total,
            number: true,
            cell: (one) => moneyText(lang, one.total),
          },
          ...(visit.may('payouts.propose')
            ? [
                {
                  key: 'act',
                  title: texts.act,
                  cell: (one: OpenTransfers) => forms.get(one.reference),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

/** A form, because the download releases the file: its payouts can no longer be taken back. */
function Download({ visit, file }: { visit: ServiceVisit; file: PayoutFile }) {
  const action = visit.at(`/payouts/files/${file.id}`);
  return (
    <form method="post" action={action}>
      <input type="hidden" name="token" value={visit.token(action)} />
      <input type="hidden" name="back" value={visit.at('/payouts')} />
      <button type="submit" class="button button-quiet">
        {payoutTexts[visit.lang].download}
        <span class="unseen"> {file.reference}</span>
      </button>
    </form>
  );
}

function Files({ visit, files }: { visit: ServiceVisit; files: Paged<PayoutFile> }) {
  const { lang } = visit;
  const texts = payoutTexts[lang];
  return (
    <Section title={texts.files} id="files">
      <Table
        lang={lang}
        caption={texts.files}
        captionUnseen
        rows={files.rows}
        empty={<p>{texts.noFiles}</p>}
        columns={[
          {
            key: 'reference',
            title: fourEyesTexts[lang].reference,
            heads: true,
            cell: (one) => <bdi>{one.reference}</bdi>,
          },
          { key: 'made', title: texts.madeAt, cell: (one) => momentText(lang, one.made_at) },
          {
            key: 'file',
            title: texts.file,
            cell: (one) =>
              visit.may('payouts.propose') ? <Download visit={visit} file={one} /> : String(one.id),
          },
          { key: 'payouts', title: texts.payouts, number: true, cell: (one) => one.payouts },
          {
            key: 'total',
            title: texts.total,
            number: true,
            cell: (one) => moneyText(lang, one.total),
          },
        ]}
      />
      <ListPager visit={visit} path="/payouts" name="files" id="files" page={files} />
    </Section>
  );
}

export function payoutsPage(visit: ServiceVisit, model: PayoutsModel): Page {
  const { lang, at } = visit;
  const texts = payoutTexts[lang];
  const shared = fourEyesTexts[lang];
  const list = { visit, names: model.names, path: '/payouts' };
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead({ limit: moneyText(lang, model.limit) })}
          actions={
            visit.may('payouts.propose') ? (
              <a class="button" href={at('/payouts/new')}>
                {texts.propose}
              </a>
            ) : undefined
          }
        />
        <Section title={shared.waiting} id="waiting">
          <Proposals {...list} title={shared.waiting} rows={model.waiting} empty={shared.none} />
        </Section>
        <Transfers visit={visit} {...model} />
        <Files visit={visit} files={model.files} />
        <Section title={shared.latest} id="latest">
          <Proposals
            {...list}
            title={shared.latest}
            rows={model.latest.rows}
            empty={shared.noneEver}
          />
          <ListPager visit={visit} path="/payouts" name="behind" id="latest" page={model.latest} />
        </Section>
      </>
    ),
  };
}

/** `form` is false if no account has money to pay out. */
export function newPage({ lang, at }: ServiceVisit, form: ComponentChildren): Page {
  const texts = payoutTexts[lang];
  return {
    title: texts.propose,
    body: (
      <>
        <PageHead title={texts.propose} up={{ href: at('/payouts'), label: texts.title }} />
        {form || <EmptyState title={texts.nothing} />}
      </>
    ),
  };
}

export function donePage(
  visit: ServiceVisit,
  rows: readonly OrderedOne[],
  names: ReadonlyMap<string, string>,
): Page {
  const { lang, at } = visit;
  const texts = payoutTexts[lang];
  const shared = fourEyesTexts[lang];
  return {
    title: texts.result,
    body: (
      <>
        <PageHead title={texts.result} up={{ href: at('/payouts'), label: texts.title }} />
        <Table
          lang={lang}
          caption={texts.result}
          captionUnseen
          rows={rows}
          empty={null}
          columns={[
            {
              key: 'account',
              title: shared.account,
              heads: true,
              cell: ({ account }) => <AccountName visit={visit} id={account} names={names} />,
            },
            {
              key: 'outcome',
              title: texts.outcome,
              cell: (one) => (
                <>
                  {texts.outcomes[one.outcome]}
                  {one.refusal !== null && (
                    <>
                      : <Message lang={lang}>{one.refusal}</Message>
                    </>
                  )}
                </>
              ),
            },
            {
              key: 'amount',
              title: shared.amount,
              number: true,
              cell: (one) => (one.amount === null ? '' : moneyText(lang, one.amount)),
            },
          ]}
        />
      </>
    ),
  };
}
