import type { Centavos } from '../../../kernel/money.ts';
import type { OpenTransfers, PayoutFile } from '../../../money/payouts/index.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { ChoicesField, TextField } from '../../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../../platform/pages/components/form.tsx';
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
  files: Paged<PayoutFile>;
  limit: Centavos;
}

type MakeProps = { visit: ServiceVisit } & ({ reference: string } | { all: true });

/** Makes a file of one reference, or of everything that waits. */
function MakeFile({ visit, ...what }: MakeProps) {
  const { make, makeAll } = payoutTexts[visit.lang];
  const action = visit.at('/payouts/files');
  return (
    <Form
      lang={visit.lang}
      action={action}
      token={visit.token(action)}
      submit={'all' in what ? makeAll : make}
    >
      <input type="hidden" name="back" value={visit.at('/payouts')} />
      {'all' in what ? (
        <input type="hidden" name="all" value="1" />
      ) : (
        <input type="hidden" name="reference" value={what.reference} />
      )}
    </Form>
  );
}

function Transfers({ visit, open }: { visit: ServiceVisit; open: readonly OpenTransfers[] }) {
  const { lang } = visit;
  const texts = payoutTexts[lang];
  return (
    <Section title={texts.transfers} id="transfers">
      <p>{texts.transfersLead}</p>
      {open.length > 1 && visit.may('payouts.propose') && <MakeFile visit={visit} all />}
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
                  cell: (one: OpenTransfers) => (
                    <MakeFile visit={visit} reference={one.reference} />
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
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
              visit.may('payouts.propose') ? (
                <a href={visit.at(`/payouts/files/${one.id}`)}>
                  {texts.download}
                  <span class="unseen"> {one.reference}</span>
                </a>
              ) : (
                String(one.id)
              ),
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

/** Renders payouts that need approval, transfers to make, and files already sent to the bank. */
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
        <Transfers visit={visit} open={model.open} />
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

/** An account that could be paid. */
export interface Payable {
  id: string;
  name: string;
  available: Centavos;
}

interface NewModel {
  payable: readonly Payable[];
  limit: Centavos;
  reference: string;
  chosen: readonly string[];
  faults: readonly FieldFault[];
}

/**
 * Renders the form that chooses accounts to pay out, at once or after another person's approval.
 */
export function newPage(visit: ServiceVisit, model: NewModel): Page {
  const { lang, at } = visit;
  const texts = payoutTexts[lang];
  const { payable, limit, faults } = model;
  const action = at('/payouts/propose');
  const faultOf = faultIn(faults);
  return {
    title: texts.propose,
    status: faults.length > 0 ? 400 : 200,
    body: (
      <>
        <PageHead title={texts.propose} up={{ href: at('/payouts'), label: texts.title }} />
        {payable.length === 0 ? (
          <EmptyState title={texts.nothing} />
        ) : (
          <Form
            lang={lang}
            action={action}
            token={visit.token(action)}
            submit={texts.submit}
            back={at('/payouts')}
            faults={faults}
          >
            <input type="hidden" name="back" value={at('/payouts/new')} />
            <TextField
              lang={lang}
              name="reference"
              label={fourEyesTexts[lang].reference}
              hint={texts.referenceHint}
              value={model.reference}
              fault={faultOf('reference')}
              maxLength={64}
            />
            <ChoicesField
              lang={lang}
              name="account"
              label={texts.choose}
              kind="checkbox"
              values={model.chosen}
              fault={faultOf('account')}
              choices={payable.map(({ id, name, available }) => ({
                value: id,
                label: `${name} (${id}): ${moneyText(lang, available)}`,
                hint: available > limit ? texts.later : texts.now,
              }))}
            />
          </Form>
        )}
      </>
    ),
  };
}

/** The outcome of one account's payout. */
export interface Done {
  account: string;
  /** Null for an unknown account. */
  name: string | null;
  outcome: 'sent' | 'known' | 'proposed' | 'refused';
  amount: Centavos | null;
  refusal: Refusal | null;
}

export function donePage(visit: ServiceVisit, rows: readonly Done[]): Page {
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
              cell: ({ account, name }) => (
                <AccountName
                  visit={visit}
                  id={account}
                  names={new Map(name === null ? [] : [[account, name]])}
                />
              ),
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
