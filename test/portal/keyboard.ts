import type { Page } from 'playwright-core';

/** The focused element, as reported by the page. */
interface Stop {
  /** Index among all tab stops; -1 if it is not on the page, such as the browser's own controls. */
  no: number;
  name: string;
  /** Faults of its focus indicator. */
  faults: string[];
  /** True if it is the heading of a collapsed part. */
  closed: boolean;
}

/** Runs in the page: lists the tab stops, and checks how the focused one shows. */
function keyboardOf() {
  const stops = 'a[href],button,input,select,textarea,summary,iframe,[tabindex]';
  const shown = (one: Element) => one.checkVisibility({ visibilityProperty: true });
  const radios = (one: Element) => {
    const input = one as HTMLInputElement;
    if (input.type !== 'radio') return [one];
    const all = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')];
    return all.filter(({ name, form }) => name === input.name && form === input.form);
  };
  const isStop = (one: Element): boolean =>
    (one as HTMLElement).tabIndex >= 0 &&
    !(one as HTMLButtonElement).disabled &&
    (one as HTMLInputElement).type !== 'hidden' &&
    shown(one) &&
    (one.localName !== 'summary' || one.parentElement?.localName === 'details');
  // A radio group is one tab stop; the arrow keys lead to its other choices.
  const isFirst = (one: Element): boolean => {
    const group = radios(one);
    return (group.find((other) => (other as HTMLInputElement).checked) ?? group[0]) === one;
  };
  const nameOf = (one: Element): string => {
    const text = (one.getAttribute('aria-label') ?? one.textContent ?? '').trim();
    return `${one.localName}${one.id && `#${one.id}`} ${text.slice(0, 40)}`.trim();
  };
  const all = () => [...document.querySelectorAll(stops)].filter(isStop).filter(isFirst);
  /** Describes an element by what scripts and style sheets select on. */
  const markOf = (one: Element): string => {
    const names = one.getAttributeNames().filter((name) => /^data-|^tabindex$/.test(name));
    const own = [...one.classList, ...names].toSorted();
    const type = one.localName === 'input' ? one.getAttribute('type') : null;
    return [one.localName, type, one.getAttribute('role'), ...own].filter(Boolean).join('.');
  };
  const kindOf = (one: Element): string => {
    const marks: string[] = [];
    for (let at: Element | null = one; at; at = at.parentElement) marks.push(markOf(at));
    return marks.join(' < ');
  };
  const showsFocus = (one: Element): boolean => {
    const style = getComputedStyle(one);
    const width = Number.parseFloat(style.outlineWidth);
    return style.outlineStyle !== 'none' && width >= 2;
  };
  const faultsOf = (one: Element): string[] => {
    const box = one.getClientRects()[0];
    if (!box || box.width < 1 || box.height < 1) return ['has no place'];
    const faults = showsFocus(one) ? [] : ['shows no focus'];
    const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height / 2, 20)];
    const top = document.elementFromPoint(x, y);
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) faults.push('is out of sight');
    else if (!top || !(one.contains(top) || top.contains(one))) {
      faults.push(`is covered by ${top ? nameOf(top) : 'nothing'}`);
    }
    return faults;
  };
  const isClosed = (one: Element): boolean =>
    one.localName === 'summary' && !one.parentElement?.hasAttribute('open');
  const after = (one: Element, other: Element): boolean =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return {
    all: () => all().map(nameOf),
    kinds: () => [...new Set([...document.querySelectorAll(stops)].map(kindOf))],
    focusEach(way: 'on' | 'back'): string[] {
      const faults: string[] = [];
      const follows = (one: Element) => (other: Element) =>
        way === 'on' ? after(one, other) : after(other, one);
      const next = (from?: Element): Element | undefined => {
        const left = way === 'on' ? all() : all().toReversed();
        return from ? left.find(follows(from)) : left[0];
      };
      for (let one = next(); one; one = next(one)) {
        (one as HTMLElement).focus();
        const found = document.activeElement === one ? faultsOf(one) : ['takes no focus'];
        if ((one as HTMLElement).tabIndex > 0) found.push('has a place of its own in the order');
        faults.push(...found.map((fault) => `${nameOf(one)} ${fault}`));
        if (way === 'on' && isClosed(one)) one.parentElement?.setAttribute('open', '');
      }
      return faults;
    },
    now(): Stop {
      const one = document.activeElement;
      if (!one || one === document.body) return { no: -1, name: '', faults: [], closed: false };
      const closed = isClosed(one);
      return { no: all().indexOf(one), name: nameOf(one), faults: faultsOf(one), closed };
    },
  };
}

declare global {
  interface Window {
    keyboard: ReturnType<typeof keyboardOf>;
  }
}

/** Makes pages that are opened from now on report the focused element. */
export async function readyKeyboard(page: Page): Promise<void> {
  await page.addInitScript(`window.keyboard = (${keyboardOf.toString()})();`);
}

/**
 * Returns the kinds of tab stops on a page: each with its type, role, classes and data attributes,
 * and those of all its ancestors. Stops of one kind share their style rules and scripts.
 */
export const kindsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => window.keyboard.kinds());

/**
 * Focuses each stop in page order without pressing keys, opens closed parts on the way, and returns
 * to the start. Returns the faults. A single key press at the start makes the browser show focus.
 */
export async function focusEach(page: Page): Promise<string[]> {
  await page.keyboard.press('Tab');
  const [first, ...faults] = await page.evaluate(() => [
    window.keyboard.all()[0],
    ...window.keyboard.focusEach('on'),
    ...window.keyboard.focusEach('back').map((fault) => `backwards ${fault}`),
  ]);
  return first?.includes(skipLink) ? faults : ['begins elsewhere', ...faults];
}

/** The first tab stop of each page of the portal. */
export const skipLink = 'Saltar al contenido';

const now = (page: Page): Promise<Stop> => page.evaluate(() => window.keyboard.now());

/** Maximum number of key presses, more than any page needs. */
const most = 400;

interface Walk {
  /** All tab stops, in page order. */
  all: string[];
  /** Focused elements, in tab order. */
  walked: string[];
  faults: string[];
}

/**
 * Walks from the start of a page to its end by Tab, or back by Shift+Tab. `open` opens each closed
 * part by Enter on the way, and walks through it.
 */
export async function walk(
  page: Page,
  key: 'Tab' | 'Shift+Tab',
  { open = false }: { open?: boolean } = {},
): Promise<Walk> {
  const walked: string[] = [];
  const faults: string[] = [];
  let last = -2;
  for (let press = 0; press < most; press += 1) {
    await page.keyboard.press(key);
    let stop = await now(page);
    if (stop.no === -1 && stop.name === '') break;
    if (stop.closed && open) {
      await page.keyboard.press('Enter');
      if ((await now(page)).closed) faults.push(`${stop.name} does not open`);
      stop = await now(page);
    }
    // A date field has a stop for each of its parts.
    if (stop.no !== last || stop.no === -1) {
      walked.push(stop.name);
      faults.push(...stop.faults.map((fault) => `${stop.name} ${fault}`));
    }
    last = stop.no;
  }
  const all = await page.evaluate(() => window.keyboard.all());
  return { all, walked, faults };
}

/** Moves the focus to the top of the page, as after navigation. */
export const toTop = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    getSelection()?.removeAllRanges();
    scrollTo(0, 0);
  });

/** Presses Tab until the selected element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let press = 0; press < most; press += 1) {
    const there = await page.evaluate(
      (wanted) => document.activeElement?.matches(wanted) ?? false,
      selector,
    );
    if (there) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard never comes to ${selector}`);
}
