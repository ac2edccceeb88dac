import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The pages of this site: the folder `docs`, as GitHub shows it, which `copy.js` copies. */
const docs = path.join(import.meta.dirname, '../..');
const repository = process.env.REPOSITORY_URL ?? 'https://example.com/recaudo/blob/main';

const titleOf = (file) => /^# (.+)$/m.exec(readFileSync(path.join(docs, file), 'utf8'))?.[1];

/** Lists the pages of a folder by title, folders in it as groups of their own. */
function itemsOf(folder) {
  const entries = readdirSync(path.join(docs, folder), { withFileTypes: true });
  const pages = entries
    .filter(({ name }) => name.endsWith('.md'))
    .map(({ name }) => `${folder}/${name}`)
    .map((file) => ({ text: titleOf(file), link: `/${asIndex(file)}` }))
    .toSorted((a, b) => a.text.localeCompare(b.text));
  const groups = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ text: name, collapsed: true, items: itemsOf(`${folder}/${name}`) }))
    .filter(({ items }) => items.length > 0);
  return [...pages, ...groups];
}

const asIndex = (link) => link.replace(/README\.md(?=#|$)/, 'index.md');

const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Points a link out of `docs` to the repository, and one to a README to its index. */
function linkOf(href, page) {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const target = path.posix.join('docs', path.posix.dirname(page), href);
  const isPage = target.startsWith('docs/') && /\.(?:md|webp)(?:#|$)/.test(target);
  return isPage ? asIndex(href) : `${repository}/${target}`;
}

export default {
  title: 'Recaudo',
  description: 'Collect payments in Argentina on your own server',
  srcDir: './pages',
  outDir: './dist',
  cleanUrls: true,
  rewrites: asIndex,
  markdown: {
    // Headings name paths such as /payment-request/{id}, and anchors are GitHub's.
    attrs: { disable: true },
    anchor: { slugify },
    config(md) {
      md.core.ruler.push('links', ({ tokens, env }) => {
        for (const { children } of tokens)
          for (const token of children ?? [])
            if (token.type === 'link_open')
              token.attrSet('href', linkOf(token.attrGet('href'), env.relativePath));
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: ['tutorials', 'how-to', 'reference', 'explanation'].map((folder) => ({
      text: folder[0].toUpperCase() + folder.slice(1),
      link: itemsOf(folder)[0].link.replace(/\.md$/, ''),
    })),
    sidebar: ['tutorials', 'how-to', 'reference', 'explanation'].map((folder) => ({
      text: folder[0].toUpperCase() + folder.slice(1),
      items: itemsOf(folder),
    })),
  },
};
