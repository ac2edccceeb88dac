import {
  bankMandateForm,
  cardMandateForm,
  findMandatesByWords,
  firstPlace,
  lastDayToSign,
  type MandateKind,
  type MandatePlace,
  type MandateRow,
  type MandateVerbs,
  mandateReminding,
} from '../../mandates/index.ts';
import type { Base } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import { readForm } from '../../platform/http/form.ts';
import type { CreationOutcome } from '../../platform/idempotency.ts';
import { dayText } from '../../platform/pages/format.ts';
import { debitsSection } from '../debits/on-mandate.tsx';
import { claimIn, createdId, faultsOf, renewKey } from '../frame/creating.tsx';
import { exportPages } from '../frame/exports.ts';
import { chosenIn } from '../frame/filters.tsx';
import {
  type AccountVisit,
  type Answer,
  ctxOf,
  idIn,
  type Page,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { operationPages } from '../frame/operation.tsx';
import { mandateSheet } from './export.ts';
import { kindChoices, listPage, stateChoices } from './list.tsx';
import { fieldsOf, newPage } from './new.tsx';
import { newTexts } from './new-texts.ts';
import { mandateCancelings, onePage } from './one.tsx';
import { kindAt, kinds, mandatePath, placeIn, segmentOf } from './places.ts';
import { mandateTexts } from './texts.ts';

export interface MandatePageParts {
  base: Base;
  mandates: MandateVerbs;
}

const rowsAtOnce = 50;

function kindOf({ params }: AccountVisit): MandateKind {
  const kind = kindAt(params.kind);
  if (kind === null) throw portalRefusal('page.not_found', {});
  return kind;
}

const bodyOf = ({ posted }: AccountVisit, kind: MandateKind): Record<string, string> =>
  Object.fromEntries(
    Object.keys(fieldsOf[kind]).map((name) => [name, (posted.get(name) ?? '').trim()]),
  );

/** Creates a mandate like the API, once per form. */
const creates =
  ({ mandates }: MandatePageParts) =>
  async (visit: AccountVisit): Promise<Answer> => {
    const kind = kindOf(visit);
    const create = async (): Promise<CreationOutcome> => {
      const call = { ctx: ctxOf(visit), claim: claimIn(visit) };
      const body = bodyOf(visit, kind);
      return kind === 'adhesion'
        ? await mandates.createBank({ ...call, input: readForm(bankMandateForm, body, undefined) })
        : await mandates.createCard({
            ...call,
            input: readForm(cardMandateForm, body, { keepsCards: mandates.cards.way() !== null }),
          });
    };
    try {
      const id = Number(createdId(await create()));
      return { to: visit.at(`${mandatePath({ kind, id })}?made`) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { fields, refused } = newTexts[visit.lang];
      const faults = faultsOf(visit.lang, error, fields);
      if (faults !== null) return newPage(visit, kind, { faults, status: 400 });
      if (error.kind !== 'conflict' && error.kind !== 'unprocessable') throw error;
      renewKey(visit, error);
      return newPage(visit, kind, {
        faults: [],
        message: refused[error.kind],
        status: error.status,
      });
    }
  };

const soughtIn = ({ lang, query, account }: AccountVisit) => {
  const kind = chosenIn(query, 'kind', kindChoices(lang));
  const state = chosenIn(query, 'state', stateChoices(lang));
  return {
    accountId: account.id,
    kinds: kinds.filter((one) => kind === null || segmentOf[one] === kind.value),
    text: query.get('q') ?? '',
    state: state && (state.value as MandateRow['state']),
  };
};

export function mandatePages(portal: Portal, parts: MandatePageParts): void {
  const { base, mandates } = parts;

  const read = (visit: AccountVisit): Promise<MandateRow> =>
    mandates.get(ctxOf(visit), kindOf(visit), idIn(visit));

  portal.page({
    act: 'mandates.see',
    path: '/mandates',
    async read(visit) {
      const page = { behind: placeIn(visit.query), limit: rowsAtOnce };
      return listPage(visit, await findMandatesByWords(base.sql, { ...soughtIn(visit), ...page }));
    },
  });
  exportPages(portal, {
    act: 'mandates.see',
    path: '/mandates',
    sheet: mandateSheet,
    find(visit) {
      const sought = soughtIn(visit);
      return (behind: MandatePlace | null, limit) =>
        findMandatesByWords(base.sql, { ...sought, behind: behind ?? firstPlace, limit });
    },
  });

  portal.page({
    act: 'mandates.create',
    path: '/mandates/new/:kind',
    once: true,
    read: async (visit) => newPage(visit, kindOf(visit)),
  });
  portal.form({ act: 'mandates.create', path: '/mandates/new/:kind', does: creates(parts) });

  portal.page({
    act: 'mandates.see',
    path: '/mandates/:kind/:id',
    async read(visit): Promise<Page> {
      const row = await read(visit);
      const key = { accountId: visit.account.id, kind: row.kind, id: row.id };
      const [evidence, debits] = await Promise.all([
        mandates.evidenceOf(key),
        debitsSection(base, visit, row),
      ]);
      return onePage(visit, { row, evidence, debits });
    },
  });

  for (const kind of kinds) questions(portal, parts, kind);
}

/** Serves the confirmation pages for mailing the link again and for canceling. */
function questions(portal: Portal, { base, mandates }: MandatePageParts, kind: MandateKind): void {
  const path = `/mandates/${segmentOf[kind]}/:id`;
  const read = (visit: AccountVisit) => mandates.get(ctxOf(visit), kind, idIn(visit));
  const back = ({ at, params }: AccountVisit) => at(mandatePath({ kind, id: Number(params.id) }));
  operationPages(portal, mandateCancelings[kind], {
    path: `${path}/cancel`,
    verbOf: () => base,
    grave: true,
    back,
    subject: async (visit) => (await read(visit)).holder,
  });
  operationPages(portal, mandateReminding, {
    path: `${path}/remind`,
    verbOf: () => mandates.remind,
    fixed: { kind: () => kind },
    brought: ['version'],
    initial: async (visit) => ({ link: 'same', version: String((await read(visit)).version) }),
    async choices(visit) {
      const { same, sameHint, renewed, renewedHint } = mandateTexts[visit.lang].reminder;
      const day = dayText(visit.lang, lastDayToSign(await read(visit)));
      const choices = [
        { value: 'same', label: same, hint: sameHint({ day }) },
        { value: 'new', label: renewed, hint: renewedHint },
      ];
      return { link: { groups: [{ name: 'link', choices }] } };
    },
    back,
    subject: async (visit) => (await read(visit)).email,
    done: (visit) => ({ to: `${back(visit)}?sent` }),
  });
}
