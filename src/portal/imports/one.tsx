import { type Import, kindActs } from '../../imports/index.ts';
import type { Refusal } from '../../platform/errors.ts';
import { Dialog, DialogLink } from '../../platform/pages/components/dialog.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import { Figures, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { countText, momentText } from '../../platform/pages/format.ts';
import { sheetFormats } from '../../platform/spreadsheets/write/table.ts';
import { formTo } from '../frame/form-to.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { Message } from '../frame/message.tsx';
import { Draft } from './draft.tsx';
import { StateBadge } from './list.tsx';
import type { ImportModel, WaitingLetters } from './model.ts';
import { importTexts } from './texts.ts';

interface PartProps {
  visit: AccountVisit;
  one: Import;
}

function Progress({ visit, one }: PartProps) {
  const { progress } = importTexts[visit.lang];
  const [done, all] =
    one.state === 'undoing'
      ? [one.withdrawn, one.created]
      : [one.created + one.rejected + one.skipped, one.row_count];
  // An undo leaves paid rows, so only its pages tell how far it is.
  const [value, max] = one.state === 'undoing' ? [one.undone_page, one.next_page] : [done, all];
  return (
    <Notice tone="wait">
      <p>{one.state === 'undoing' ? progress.undoing : progress.running}</p>
      <p>
        <progress max={max} value={value} aria-label={progress.of({ done, rows: all })} />{' '}
        {progress.of({ done, rows: all })}
      </p>
      <p>
        <a href={visit.at(`/imports/${one.id}`)}>{progress.look}</a>
      </p>
    </Notice>
  );
}

function Resume({ visit, one }: PartProps) {
  const { lang } = visit;
  const resumes = visit.may('imports.run') && visit.may(kindActs[one.kind].create);
  return (
    <>
      <Notice tone="bad" text={<Message lang={visit.lang}>{one.error ?? ''}</Message>} />
      {resumes && one.undone_page === 0 && (
        <Form
          {...formTo(visit, visit.at(`/imports/${one.id}/confirm`))}
          submit={importTexts[lang].confirm.resume}
        >
          <input type="hidden" name="version" value={String(one.version)} />
          <input type="hidden" name="how" value="again" />
          {one.repeats_too && <input type="hidden" name="how" value="repeats" />}
        </Form>
      )}
    </>
  );
}

function Undo({ visit, one }: PartProps) {
  const { undo } = importTexts[visit.lang];
  return (
    <Section title={undo.title} id="undo">
      <p>{undo.lead}</p>
      <p>
        <DialogLink href={visit.at(`/imports/${one.id}/undo`)}>{undo.ask}</DialogLink>
      </p>
    </Section>
  );
}

/** Asks for confirmation, because an undo is irreversible. */
export function undoPage(visit: AccountVisit, one: Import): Page {
  const { lang } = visit;
  const { undo } = importTexts[lang];
  return {
    title: undo.question,
    body: (
      <Dialog title={undo.question}>
        <p>
          <bdi>{one.file_name}</bdi>.{' '}
          {undo.counts({ left: one.created - one.withdrawn, created: one.created })} {undo.lead}
        </p>
        <Form
          {...formTo(visit, visit.at(`/imports/${one.id}/undo`))}
          submit={undo.submit}
          back={visit.at(`/imports/${one.id}`)}
          grave
        />
      </Dialog>
    ),
  };
}

function Print({ visit, one }: PartProps) {
  const { result } = importTexts[visit.lang];
  const print = { payment_request: 'coupons.pdf', qr: 'sheet.html' } as const;
  if (one.created === one.withdrawn) return null;
  if (one.kind !== 'payment_request' && one.kind !== 'qr') return null;
  return (
    <a class="button button-quiet" href={visit.at(`/imports/${one.id}/${print[one.kind]}`)}>
      {one.kind === 'qr' ? result.sheet : result.coupons}
    </a>
  );
}

/** Reports the emails that are still queued, and until when. */
function Mails({ visit: { lang }, mails }: { visit: AccountVisit; mails: WaitingLetters }) {
  if (mails.count === 0) return null;
  const { mails: texts } = importTexts[lang];
  const count = `${mails.isMore ? '+' : ''}${countText(lang, mails.count)}`;
  return (
    <Notice tone="wait">
      <p>
        {texts.waiting({ count, number: mails.count })}
        {mails.until !== null && ` ${texts.until({ moment: momentText(lang, mails.until) })}`}
      </p>
    </Notice>
  );
}

function Done({ visit, one, mails }: PartProps & { mails: WaitingLetters | undefined }) {
  const { figures, result } = importTexts[visit.lang];
  const undoes = one.state !== 'undoing' && one.state !== 'undone';
  const works = one.state === 'running' || one.state === 'undoing';
  return (
    <>
      <div {...(works && { 'data-live': 2 })}>
        {works && <Progress visit={visit} one={one} />}
        {one.state === 'failed' && <Resume visit={visit} one={one} />}
        <Figures
          items={(['created', 'rejected', 'skipped', 'withdrawn'] as const).map((name) => ({
            label: figures[name],
            value: String(one[name]),
          }))}
        />
        {one.kind === 'payment_request' && mails !== undefined && (
          <Mails visit={visit} mails={mails} />
        )}
      </div>
      <Section title={result.title} id="result">
        <p>{result.lead}</p>
        <p>
          {sheetFormats.map((format) => (
            <a
              key={format}
              class="button button-quiet"
              href={visit.at(`/imports/${one.id}/result.${format}`)}
            >
              {result.download} ({format.toUpperCase()})
            </a>
          ))}
          <Print visit={visit} one={one} />
        </p>
      </Section>
      {undoes && visit.may('imports.undo') && visit.may(kindActs[one.kind].withdraw) && (
        <Undo visit={visit} one={one} />
      )}
    </>
  );
}

/** Renders an import, from its check to its result. `fault` is the reason of a refused form. */
export function importPage(
  visit: AccountVisit,
  model: ImportModel,
  { fault, status = 200 }: { fault?: string | Refusal; status?: number } = {},
): Page {
  const { one } = model;
  const texts = importTexts[visit.lang];
  return {
    title: one.file_name,
    status,
    body: (
      <>
        <PageHead
          title={one.file_name}
          lead={
            <>
              {texts.kinds[one.kind]} <StateBadge visit={visit} one={one} />
            </>
          }
          up={{ href: visit.at('/imports'), label: texts.title }}
        />
        {fault !== undefined && (
          <Notice tone="bad" text={<Message lang={visit.lang}>{fault}</Message>} />
        )}
        {one.state === 'draft' ? (
          <Draft visit={visit} model={model} />
        ) : (
          <Done visit={visit} one={one} mails={model.mails} />
        )}
      </>
    ),
  };
}
