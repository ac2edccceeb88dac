import type { Lang } from '../../../platform/pages/model.ts';

interface UnsubscribeTexts {
  title: string;
  ask: (email: string, account: string) => string;
  receipts: string;
  stop: string;
  stopped: string;
  stoppedLead: (email: string, account: string) => string;
  resume: string;
  resumed: string;
  unknown: string;
  unknownLead: string;
}

export const unsubscribeTexts: Readonly<Record<Lang, UnsubscribeTexts>> = {
  es: {
    title: '¿No recibir más correos?',
    ask: (email, account) => `${account} dejará de mandar cobros y recordatorios a ${email}.`,
    receipts: 'Los comprobantes de lo que pagues te siguen llegando. Lo que debas no cambia.',
    stop: 'No recibir más',
    stopped: 'Listo: no te mandamos más',
    stoppedLead: (email, account) => `${account} ya no manda cobros ni recordatorios a ${email}.`,
    resume: 'Volver a recibirlos',
    resumed: 'Los vas a volver a recibir',
    unknown: 'Este enlace no sirve',
    unknownLead: 'Abrilo completo, tal como está en el correo que recibiste.',
  },
  en: {
    title: 'Stop these mails?',
    ask: (email, account) => `${account} will send no more requests and reminders to ${email}.`,
    receipts: 'Receipts of what you pay still come. What you owe does not change.',
    stop: 'Stop them',
    stopped: 'Done: we send no more',
    stoppedLead: (email, account) =>
      `${account} sends no more payment requests and reminders to ${email}.`,
    resume: 'Get them again',
    resumed: 'You will get them again',
    unknown: 'This link does not work',
    unknownLead: 'Open all of it, as it stands in the mail that you got.',
  },
};
