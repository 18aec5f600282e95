import { createStore } from './store';
import { readable } from './color';

export interface Brand {
  name: string;
  logo: string | null;
}

export const brand = createStore<Brand>({ name: 'Millrace', logo: null });

interface Theme {
  websiteName?: string;
  colors?: { primary?: { default?: string } };
  logos?: { logoIconUrl?: string | null; favIconUrl?: string | null };
}

/** What the server uses while nobody has chosen a colour. */
const USUAL = '#2f6f5e';
const USUAL_LOGO = '/assets/logo-icon.svg';

/** Takes over the platform's name, colour and logo. A colour without contrast is made lighter or darker. */
export function applyBrand(flags: Record<string, unknown>): void {
  const theme = (flags['THEME'] ?? {}) as Theme;
  const logo = theme.logos?.logoIconUrl ?? null;
  brand.set({ name: theme.websiteName ?? 'Millrace', logo: logo === '' || logo === USUAL_LOGO ? null : logo });
  document.title = theme.websiteName ?? 'Millrace';
  const color = theme.colors?.primary?.default?.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  if (!color || color.toLowerCase() === USUAL || !/^#[0-9a-f]{6}$/i.test(color)) {
    return;
  }
  const style = document.documentElement.style;
  const light = readable(color, '#ffffff');
  const dark = readable(color, '#1e1c1a');
  style.setProperty('--accent', `light-dark(${light}, ${dark})`);
  style.setProperty('--on-accent', 'light-dark(#ffffff, #141210)');
  style.setProperty('--accent-soft', `color-mix(in oklab, light-dark(${light}, ${dark}) 14%, var(--raised))`);
}
