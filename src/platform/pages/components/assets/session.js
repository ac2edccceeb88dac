// Warns in every tab before an idle session ends.

const noticeMs = 2 * 60_000;
const tabs = new BroadcastChannel('recaudo-session');
let timer;

/** Shows a stage: `quiet`, `soon` or `over`. */
function show(notice, stage) {
  notice.hidden = stage === 'quiet';
  notice.querySelector('[data-session-soon]').hidden = stage === 'over';
  notice.querySelector('[data-session-over]').hidden = stage !== 'over';
  notice.querySelector('[data-session-stay]').hidden = stage === 'over';
}

function restart(notice) {
  const idleMs = Number(notice.dataset.idleMinutes) * 60_000;
  const warnMs = Math.max(idleMs - noticeMs, idleMs / 2);
  clearTimeout(timer);
  show(notice, 'quiet');
  timer = setTimeout(() => {
    show(notice, 'soon');
    timer = setTimeout(show, idleMs - warnMs, notice, 'over');
  }, warnMs);
}

/** Restarts the idle timer. Call it whenever the service has sent a page or a part of one. */
export function sessionUsed() {
  const notice = document.querySelector('[data-idle-minutes]');
  if (!notice) return;
  restart(notice);
  tabs.postMessage('used');
}

export function watchSession() {
  const notice = document.querySelector('[data-idle-minutes]');
  if (!notice) return;
  tabs.addEventListener('message', () => restart(notice));
  notice.querySelector('[data-session-stay]').addEventListener('click', async () => {
    const answer = await fetch('/portal/me').catch(() => null);
    if (answer?.ok && !answer.redirected) sessionUsed();
    else if (answer) show(notice, 'over');
  });
}
