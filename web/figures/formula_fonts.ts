let loading = false;

/**
 * Loads the fonts of formulas together with the code that shows them: one that arrives after the first formula makes the browser lay out all
 * formulas again.
 */
export function loadFormulaFonts(): void {
  if (loading) return;
  loading = true;
  for (const font of ['16px KaTeX_Main', 'italic 16px KaTeX_Math', '16px KaTeX_Size2'])
    document.fonts.load(font).catch(() => {});
}
