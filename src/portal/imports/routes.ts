import {
  type Import,
  type Imports,
  type KindName,
  kindActs,
  kindNames,
  type Matched,
  madeOf,
  resultFile,
  templateFile,
} from '../../imports/index.ts';
import type { Coupons } from '../../payment-requests/http.ts';
import { Refusal } from '../../platform/errors.ts';
import { sheetFormats } from '../../platform/spreadsheets/write/table.ts';
import { refusalText } from '../frame/faults.ts';
import {
  type AccountVisit,
  type Answer,
  ctxOf,
  idIn,
  numberIn,
  type Page,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { type SheetParts, sheetFile, sheetPageIn } from '../qr/sheet.ts';
import { listPage } from './list.tsx';
import { readModel, type WaitingLetters } from './model.ts';
import { importPage, undoPage } from './one.tsx';
import { readingIn } from './reading.tsx';
import { importTexts } from './texts.ts';

export interface ImportParts extends SheetParts {
  imports: Imports;
  coupons: Pick<Coupons, 'bundle'>;
  /** Returns the account's emails to payers that are still queued. */
  waitingLetters(accountId: string): Promise<WaitingLetters>;
}

const mostListed = 50;

/** Reads the column of each field from the form. */
function matchedIn({ posted }: AccountVisit, fields: readonly { name: string }[]): Matched {
  const placeOf = (name: string): number | null => {
    const text = posted.get(name) ?? '';
    return /^\d{1,3}$/.test(text) ? Number(text) : null;
  };
  return Object.fromEntries(fields.map(({ name }) => [name, placeOf(name)]));
}

/** Returns the import in the address, for users with permission for its entities. */
async function importFor(
  { imports }: Pick<ImportParts, 'imports'>,
  visit: AccountVisit,
  does: 'see' | 'create' | 'withdraw',
): Promise<Import> {
  const one = await imports.get(ctxOf(visit), idIn(visit));
  visit.need(kindActs[one.kind][does]);
  return one;
}

/** Serves the account's imports and the upload form. */
function importList(portal: Portal, { imports }: ImportParts): void {
  const list = async (
    visit: AccountVisit,
    fault?: { message: string; status: number; kind?: KindName | undefined },
  ) => {
    const before = numberIn(visit.query.get('behind') ?? '') ?? Number.MAX_SAFE_INTEGER;
    const found = await imports.list(ctxOf(visit), { before, limit: mostListed + 1 });
    const pageRows = found.slice(0, mostListed);
    return listPage(visit, {
      imports: pageRows,
      next: found.length > mostListed ? (pageRows.at(-1)?.id ?? null) : null,
      ...(fault && { fault: fault.message, status: fault.status, kind: fault.kind }),
    });
  };

  portal.page({ act: 'imports.see', path: '/imports', read: (visit) => list(visit) });
  portal.form({
    act: 'imports.run',
    path: '/imports',
    takesFile: true,
    async does(visit) {
      const { file, lang } = visit;
      const { missing, unknownKind } = importTexts[lang].upload;
      const kind = kindNames.find((name) => name === visit.posted.get('kind'));
      if (!kind) return await list(visit, { message: unknownKind, status: 400 });
      visit.need(kindActs[kind].create);
      if (file === null) return await list(visit, { message: missing, status: 400, kind });
      const upload = { kind, fileName: file.name, bytes: file.bytes };
      try {
        const { import: one } = await imports.upload(ctxOf(visit), upload);
        return { to: visit.at(`/imports/${one.id}`) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const message = refusalText(lang, error);
        return await list(visit, { message, status: error.status, kind });
      }
    },
  });
}

/** Serves a template of each kind: headings, and an example row. */
function importTemplates(portal: Portal, { imports }: ImportParts): void {
  for (const format of sheetFormats) {
    portal.page({
      act: 'imports.see',
      path: `/imports/template.${format}`,
      async read(visit) {
        const { lang, query } = visit;
        const kind = kindNames.find((name) => name === query.get('kind'));
        if (!kind) throw portalRefusal('page.not_found', {});
        visit.need(kindActs[kind].see);
        const title = importTexts[lang].kinds[kind];
        return templateFile(imports.kinds[kind], { lang, format, title });
      },
    });
  }
}

function importFiles(portal: Portal, parts: ImportParts): void {
  const { imports, coupons } = parts;
  for (const format of sheetFormats) {
    portal.page({
      act: 'imports.see',
      path: `/imports/:id/result.${format}`,
      async read(visit) {
        const { id } = await importFor(parts, visit, 'see');
        const result = await imports.result(ctxOf(visit), id);
        return resultFile(result, { format, asInArgentina: visit.lang === 'es' });
      },
    });
  }

  portal.page({
    act: 'imports.see',
    path: '/imports/:id/coupons.pdf',
    async read(visit) {
      const { id } = await importFor(parts, visit, 'see');
      const result = await imports.result(ctxOf(visit), id);
      if (result.import.kind !== 'payment_request') throw portalRefusal('page.not_found', {});
      return {
        file: coupons.bundle(visit.account, madeOf(result)),
        type: 'application/pdf',
        name: `cupones-${result.import.id}.pdf`,
      };
    },
  });
  portal.page({
    act: 'imports.see',
    path: '/imports/:id/sheet.html',
    async read(visit) {
      const { id } = await importFor(parts, visit, 'see');
      const result = await imports.result(ctxOf(visit), id);
      if (result.import.kind !== 'qr') throw portalRefusal('page.not_found', {});
      const numbers = (await Array.fromAsync(madeOf(result))).flat();
      return sheetFile(parts, visit.account, { numbers }, sheetPageIn(visit));
    },
  });
}

function importSteps(portal: Portal, parts: ImportParts): void {
  const { imports } = parts;

  const show = async (visit: AccountVisit, refusal?: Refusal): Promise<Page> => {
    await importFor(parts, visit, 'see');
    const model = await readModel(imports, ctxOf(visit), idIn(visit));
    const mails = await parts.waitingLetters(visit.account.id);
    return importPage(
      visit,
      { ...model, mails },
      refusal && { fault: refusal, status: refusal.status },
    );
  };

  /** Carries out a decision, or shows the page with the reason of the refusal. */
  const decided = async (
    visit: AccountVisit,
    does: 'create' | 'withdraw',
    decide: (one: Import) => Promise<unknown>,
    to = `/imports/${idIn(visit)}`,
  ): Promise<Answer> => {
    const one = await importFor(parts, visit, does);
    try {
      await decide(one);
      return { to: visit.at(to) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
      return await show(visit, error);
    }
  };

  portal.page({ act: 'imports.see', path: '/imports/:id', read: (visit) => show(visit) });
  portal.page({
    act: 'imports.undo',
    path: '/imports/:id/undo',
    read: async (visit) => undoPage(visit, await importFor(parts, visit, 'withdraw')),
  });
  portal.form({
    act: 'imports.run',
    path: '/imports/:id/read',
    does: (visit) =>
      decided(visit, 'create', ({ id }) => imports.readAgain(ctxOf(visit), id, readingIn(visit))),
  });
  portal.form({
    act: 'imports.run',
    path: '/imports/:id/match',
    does: (visit) =>
      decided(visit, 'create', ({ id, kind }) =>
        imports.match(ctxOf(visit), id, matchedIn(visit, imports.kinds[kind].fields)),
      ),
  });
  portal.form({
    act: 'imports.run',
    path: '/imports/:id/confirm',
    does(visit) {
      const how = visit.posted.getAll('how');
      const confirmation = {
        version: Number(visit.posted.get('version') ?? 0) || 0,
        repeatsToo: how.includes('repeats'),
        again: how.includes('again'),
      };
      return decided(visit, 'create', ({ id }) => imports.confirm(ctxOf(visit), id, confirmation));
    },
  });
  portal.form({
    act: 'imports.run',
    path: '/imports/:id/discard',
    does: (visit) =>
      decided(visit, 'create', ({ id }) => imports.discard(ctxOf(visit), id), '/imports'),
  });
  portal.form({
    act: 'imports.undo',
    path: '/imports/:id/undo',
    does: (visit) =>
      decided(visit, 'withdraw', ({ id }) => imports.undo(ctxOf(visit), id, visit.user.email)),
  });
}

/** Serves spreadsheet imports: upload, match, preview, confirm, result. */
export function importPages(portal: Portal, parts: ImportParts): void {
  importList(portal, parts);
  importTemplates(portal, parts);
  importFiles(portal, parts);
  importSteps(portal, parts);
}
