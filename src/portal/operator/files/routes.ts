import { Readable } from 'node:stream';
import type { Clock } from '../../../platform/clocks.ts';
import type { Envelope } from '../../../platform/envelope.ts';
import { Refusal } from '../../../platform/errors.ts';
import {
  filePreparing,
  filePreparingAgain,
  type RailDesk,
  type Sending,
  type SendingResult,
} from '../../../rails/index.ts';
import { refusalText } from '../../frame/faults.ts';
import { idIn, numberIn, type Page, type Portal, type ServiceVisit } from '../../frame/index.ts';
import { type OperationForm, operationForm } from '../../frame/operation.tsx';
import { calendarPage } from './calendar.tsx';
import { filesAtOnce, listPage, type UploadFault } from './list.tsx';
import { filePage, linesAtOnce } from './one.tsx';
import { previewPage } from './preview.tsx';
import { sendingsPage } from './sendings.tsx';
import { fileTexts } from './texts.ts';

export interface FileParts {
  railDesk: RailDesk;
  clocks: { wall: Clock; business: { today(): Temporal.PlainDate } };
}

/** Parses the page's cursor from the link. Undefined for the first page. */
const placeIn = ({ query }: ServiceVisit, name: string): number | undefined =>
  numberIn(query.get(name) ?? '') ?? undefined;

const longestName = 100;
/** Cleans a file's name for storage: one line of plain text. */
const plainName = (name: string): string =>
  name
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .slice(-longestName) || 'archivo';

/** Serves incoming files: upload, preview, import, discard. */
function uploadPages(portal: Portal, { railDesk }: FileParts): void {
  async function list(visit: ServiceVisit, fault?: UploadFault): Promise<Page> {
    const [uploads, files, { late }] = await Promise.all([
      railDesk.uploads(),
      railDesk.list(placeIn(visit, 'behind'), filesAtOnce + 1),
      railDesk.arrivals(),
    ]);
    return listPage(visit, { inbound: railDesk.inbound, uploads, files, late, fault });
  }

  async function preview(visit: ServiceVisit, fault?: Refusal): Promise<Page> {
    return previewPage(visit, { ...(await railDesk.preview(idIn(visit))), fault });
  }

  portal.page({ act: 'files.see', path: '/files', read: (visit) => list(visit) });
  portal.page({ act: 'files.see', path: '/files/uploads/:id', read: (visit) => preview(visit) });

  portal.form({
    act: 'files.manage',
    path: '/files',
    takesFile: true,
    async does(visit) {
      const { file, lang, posted, actor } = visit;
      const { upload: texts } = fileTexts[lang];
      if (file === null) return await list(visit, { text: texts.missing, status: 400 });
      const sent = { name: plainName(file.name), bytes: file.bytes };
      const rail = posted.get('rail') || null;
      try {
        const id = await railDesk.upload({ ...sent, rail, actor });
        return { to: visit.at(`/files/uploads/${id}`) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.kind === 'not_found') {
          return await list(visit, { text: texts.unknown, status: 400 });
        }
        return await list(visit, { text: texts.wrong, found: error, status: error.status });
      }
    },
  });
  portal.form({
    act: 'files.manage',
    path: '/files/uploads/:id/confirm',
    async does(visit) {
      const { posted, actor } = visit;
      const sha256 = posted.get('sha256') ?? '';
      const sameDay = posted.getAll('how').includes('same-day');
      try {
        const file = await railDesk.confirm({ id: idIn(visit), sha256, sameDay, actor });
        return { to: visit.at(`/files/${file.id}`) };
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
        return await preview(visit, error);
      }
    },
  });
  portal.form({
    act: 'files.manage',
    path: '/files/uploads/:id/discard',
    async does(visit) {
      await railDesk.discard(idIn(visit), visit.actor);
      return { to: visit.at('/files') };
    },
  });
}

/** Serves the files to send today, each with a form that prepares it. */
function sendingPages(portal: Portal, { railDesk }: FileParts): void {
  const on = { path: '/files/send', act: 'files.see' } as const;
  async function show(visit: ServiceVisit, sent?: SendingResult): Promise<Page> {
    const sendings = await railDesk.sendings();
    const formOf = async ({ rail, files }: Sending) => {
      const { form } = files.length === 0 ? preparing : preparingAgain;
      return [rail, await form(visit, { rail })] as const;
    };
    const forms = new Map(await Promise.all(sendings.map(formOf)));
    return sendingsPage(visit, { sendings, forms, sent });
  }
  const door = {
    on,
    brought: ['rail' as const],
    verbOf: () => railDesk.send,
    page: (visit: ServiceVisit) => show(visit),
    done: show,
  };
  const preparing: OperationForm<'files.manage'> = operationForm(portal, filePreparing, {
    ...door,
    path: '/files/send',
  });
  const preparingAgain: OperationForm<'files.manage'> = operationForm(portal, filePreparingAgain, {
    ...door,
    path: '/files/send/again',
  });
  portal.page({ ...on, read: (visit) => show(visit) });
}

/**
 * Serves files of networks and banks: incoming ones are imported, outgoing ones prepared and
 * downloaded.
 */
export function operatorFilePages(portal: Portal, parts: FileParts): void {
  const { railDesk, clocks } = parts;
  uploadPages(portal, parts);

  async function one(visit: ServiceVisit, fault?: string): Promise<Page> {
    const file = await railDesk.get(idIn(visit));
    const after = placeIn(visit, 'after') ?? 0;
    const { cards, beside } = railDesk.shapeOf(file);
    const remarked =
      file.direction === 'in' ? await railDesk.remarked(file.id, after, linesAtOnce + 1) : [];
    return filePage(visit, { file, cards, beside, remarked, fault });
  }

  sendingPages(portal, parts);
  portal.page({
    act: 'files.see',
    path: '/files/calendar',
    read: async (visit) => calendarPage(visit, await railDesk.arrivals(), clocks.business.today()),
  });
  portal.page({ act: 'files.see', path: '/files/:id', read: (visit) => one(visit) });
  portal.page({
    act: 'files.manage',
    path: '/files/:id/download',
    async read(visit) {
      const beside = visit.query.has('beside');
      const order = { id: idIn(visit), beside, actor: visit.actor };
      const { name, content } = await railDesk.handOver(order);
      return { file: content, type: 'application/octet-stream', name };
    },
  });

  portal.form({
    act: 'card_files.take',
    path: '/files/:id/download',
    takesFile: true,
    async does(visit) {
      const { file, lang, actor } = visit;
      if (file === null) return await one(visit, fileTexts[lang].certificate.missing);
      // Loads the banks' encryption with the first download only.
      const { envelopeOf } = await import('../../../platform/envelope.ts');
      let envelope: Envelope;
      try {
        envelope = envelopeOf({ file: plainName(file.name), bytes: file.bytes }, clocks.wall.now());
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return await one(visit, refusalText(lang, error));
      }
      const { name, content } = await railDesk.handOver({ id: idIn(visit), envelope, actor });
      return { file: Readable.from([content]), type: 'application/octet-stream', name };
    },
  });
}
