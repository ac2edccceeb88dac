import type { Page } from '../../protocol/connector.ts';

// Pages of the issuer's access control server, which post messages to the page around their frame.

const html = (title: string, body: string, script: string): Page => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="es-AR"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:1rem/1.5 system-ui;margin:1rem}input,button{font:inherit;padding:.5rem}</style>
${body}<script>${script}</script></html>`,
});

export const fingerprintPage = (): Page =>
  html('Verificación', '', "parent.postMessage({instruction_value:'Y'},'*')");

export const challengePage = (): Page =>
  html(
    'Tu banco te pide un código',
    `<h1>Tu banco te pide un código</h1>
<form><label>Código de seis dígitos <input name="code" inputmode="numeric" maxlength="6"></label>
<button>Confirmar</button></form><p>Emulador: 000000 rechaza, cualquier otro aprueba.</p>`,
    `document.forms[0].onsubmit=(event)=>{event.preventDefault();
const code=new FormData(event.target).get('code');
parent.postMessage({instruction_value:code==='000000'?'N':'Y'},'*')}`,
  );
