// Where the page is: at the top of its host, or below a path, as https://example.org/switch is.

/** The path, such as /switch; empty at the top. The folder of this file is two folders below it. */
export const base = /^(.*)\/page\/[^/]+\/base\.js$/.exec(new URL(import.meta.url).pathname)?.[1] ?? '';

/** Returns a path as the page knows it, which does not have `base`. */
export const inside = (path) => (`${path}/`.startsWith(`${base}/`) ? path.slice(base.length) || '/' : path);

/** The address of the screen that is shown. */
export const here = () => inside(location.pathname);

/** The address of the page, without a slash at its end. */
export const home = () => location.origin + base;
