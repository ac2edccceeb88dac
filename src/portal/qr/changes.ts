import { decimalText } from '../../kernel/money.ts';
import { Refusal } from '../../platform/errors.ts';
import { readForm } from '../../platform/http/form.ts';
import { moneyText } from '../../platform/pages/format.ts';
import { staticForm } from '../../qr/http.ts';
import { BatchRefusal, type FoundQr } from '../../qr/index.ts';
import { qrRemoving } from '../../qr/operations.ts';
import { claimIn, createdId, faultsOf, keyIn, type Refused, renewKey } from '../frame/creating.tsx';
import { faultText, refusalText } from '../frame/faults.ts';
import { type AccountVisit, type Answer, ctxOf, type Portal } from '../frame/index.ts';
import { operationPages } from '../frame/operation.tsx';
import { type FormModel, formPage, itemIn } from './form.tsx';
import { type FieldName, formTexts } from './form-texts.ts';
import { readQrDetails } from './model.ts';
import { qrPage } from './one.tsx';
import type { QrPageParts } from './parts.ts';
import { qrTexts } from './texts.ts';

/** Suggests a code, derived from the form's key, so that reloading the form keeps it. */
const newCode = (visit: AccountVisit): string => keyIn(visit).slice(0, 8).toUpperCase();

/** Converts the faults of a batch of one to faults of its fields. */
function batchFaults({ lang }: AccountVisit, { errors }: BatchRefusal): Refused['faults'] {
  const { fields } = formTexts[lang];
  const known = errors.filter(({ field }) => field !== undefined && Object.hasOwn(fields, field));
  return [...new Map(known.map((one) => [one.field, one])).values()].map(
    ({ field, message, localized }) => {
      const words = fields[field as FieldName];
      const isTaken = localized?.key === 'qr.id_used';
      return {
        field: field ?? '',
        label: words.label,
        text: (isTaken ? null : words.fault) ?? faultText(lang, localized ?? message),
      };
    },
  );
}

/** Returns the errors of the page and its fields, or null for other errors. */
function refusedOf(visit: AccountVisit, error: unknown): Refused | null {
  if (!(error instanceof Refusal)) return null;
  const { fields, sentBefore } = formTexts[visit.lang];
  const faults =
    error instanceof BatchRefusal ? batchFaults(visit, error) : faultsOf(visit.lang, error, fields);
  if (faults !== null && faults.length > 0) return { faults, status: error.status };
  const { errorCode, status } = error;
  const text = refusalText(visit.lang, error);
  if (errorCode === 'qr.id_taken') {
    return { faults: [{ field: 'id', label: fields.id.label, text }], status };
  }
  if (errorCode === 'qr.not_offered') return { faults: [], message: text, status };
  return error.kind === 'unprocessable' ? { faults: [], message: sentBefore, status } : null;
}

const valuesOf = ({ row }: FoundQr): FormModel['values'] => ({
  payer_name: row.payer,
  description: row.description,
  first_total: decimalText(row.total1).replace('.', ','),
  first_due_date: row.due1.toString(),
  second_due_date: row.due2?.toString() ?? '',
  second_total: row.total2 === null ? '' : decimalText(row.total2).replace('.', ','),
  external_reference: row.reference ?? '',
  city: row.details.city,
  postal_code: row.details.postal_code ?? '',
  qr_name: row.details.qr_name ?? '',
  payer_email: row.details.payer_email ?? '',
  multiple_payment: String(row.details.multiple_payment),
});

/** Runs a form's action, or shows the form again with its faults. */
const taking = async (
  visit: AccountVisit,
  model: FormModel,
  does: () => Promise<string>,
): Promise<Answer> => {
  try {
    return { to: visit.at(await does()) };
  } catch (error) {
    const refused = refusedOf(visit, error);
    if (refused === null) throw error;
    renewKey(visit, error);
    return formPage(visit, { ...model, refused });
  }
};

function qrCreation(portal: Portal, { qr }: QrPageParts): void {
  const modelOf = (visit: AccountVisit, form: 'dynamic' | 'static'): FormModel => ({
    form,
    values: {
      id: newCode(visit),
      qr_type: 'static_open_amount',
      multiple_payment: form === 'static' ? 'true' : '',
    },
    path: form === 'static' ? '/qr/static/new' : '/qr/new',
    up:
      form === 'static'
        ? { href: visit.at('/qr/static'), label: qrTexts[visit.lang].wall.title }
        : { href: visit.at('/qr'), label: qrTexts[visit.lang].title },
  });

  portal.page({
    act: 'qr.create',
    path: '/qr/new',
    once: true,
    read: async (visit) => formPage(visit, modelOf(visit, 'dynamic')),
  });
  portal.form({
    act: 'qr.create',
    path: '/qr/new',
    does: (visit) =>
      taking(visit, modelOf(visit, 'dynamic'), async () => {
        const item = itemIn(visit, 'dynamic');
        const { answer } = await qr.dynamics.one.save(ctxOf(visit), item, claimIn(visit));
        return `/qr/${JSON.parse(answer.body).data[0].id}`;
      }),
  });
  portal.page({
    act: 'qr.create',
    path: '/qr/static/new',
    once: true,
    read: async (visit) => formPage(visit, modelOf(visit, 'static')),
  });
  portal.form({
    act: 'qr.create',
    path: '/qr/static/new',
    does: (visit) =>
      taking(visit, modelOf(visit, 'static'), async () => {
        const context = { accountId: visit.account.id };
        const input = readForm(staticForm, itemIn(visit, 'static'), context);
        const call = { ctx: ctxOf(visit), input, claim: claimIn(visit) };
        return `/qr/static/${createdId(await qr.statics.create(call))}`;
      }),
  });
}

/** Serves the forms that create, change and delete QRs. */
export function qrChanges(portal: Portal, parts: QrPageParts): void {
  const { qr } = parts;
  qrCreation(portal, parts);

  const find = (visit: AccountVisit): Promise<FoundQr> =>
    qr.dynamics.get(ctxOf(visit), visit.params.id ?? '');
  const editModel = (visit: AccountVisit, found: FoundQr): FormModel => ({
    form: 'edit',
    values: valuesOf(found),
    path: `/qr/${found.row.code}/edit`,
    up: { href: visit.at(`/qr/${found.row.code}`), label: found.row.payer },
  });
  /** Shows the current state of a QR that was concurrently paid, deleted or expired. */
  const orAsItIs = async (visit: AccountVisit, does: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await does();
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      const details = await readQrDetails(parts, await find(visit));
      return qrPage(visit, { ...details, images: null, refused: true });
    }
  };

  portal.page({
    act: 'qr.edit',
    path: '/qr/:id/edit',
    async read(visit) {
      return formPage(visit, editModel(visit, await find(visit)));
    },
  });
  portal.form({
    act: 'qr.edit',
    path: '/qr/:id/edit',
    async does(visit) {
      const found = await find(visit);
      const { code } = found.row;
      return await orAsItIs(visit, () =>
        taking(visit, editModel(visit, found), async () => {
          await qr.dynamics.one.edit(ctxOf(visit), code, itemIn(visit, 'edit'));
          return `/qr/${code}`;
        }),
      );
    },
  });
  operationPages(portal, qrRemoving, {
    path: '/qr/:id/delete',
    verbOf: () => qr.dynamics.one.remove,
    grave: true,
    back: ({ at, params }) => at(`/qr/${params.id}`),
    async subject(visit) {
      const { row } = await find(visit);
      return `${row.payer}, ${moneyText(visit.lang, row.total1)}`;
    },
  });
}
