// What check.sh asks of a page from inside. Says one line for each thing that is wrong, after the line "looked at all of it".
'use strict';
const said = [];
const words = (text) => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 60));
const shown = (element) => element.getClientRects().length > 0;
const texts = (svg) => [...svg.querySelectorAll('text')];

function nameOf(figure, i) {
  const caption = figure.querySelector('figcaption');
  return 'figure ' + (i + 1) + (caption ? ' ' + words(caption.textContent) : '');
}

// Colours as [red, green, blue, alpha], over what lies below.
function colour(text) {
  const numbers = text.match(/[\d.]+/g).map(Number);
  return numbers.length < 4 ? [...numbers, 1] : numbers;
}
function luminance(rgb) {
  const linear = rgb.slice(0, 3).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
function backgroundOf(element) {
  for (let at = element; at; at = at.parentElement) {
    const found = colour(getComputedStyle(at).backgroundColor);
    if (found[3] === 1) return found;
  }
  return [255, 255, 255, 1];
}
// Letters in a picture lie on the last cell or bar that holds their middle, else on the page.
function backgroundInPicture(svg, text) {
  const box = text.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
  let found = backgroundOf(svg);
  for (const area of svg.querySelectorAll('.cell, .bar')) {
    const at = area.getBoundingClientRect(), fill = getComputedStyle(area).fill;
    const before = area.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (before && fill !== 'none' && at.left <= x && x <= at.right && at.top <= y && y <= at.bottom) found = colour(fill);
  }
  return found;
}
function expectContrast(where, text, letters, background) {
  const found = contrast(letters, background);
  if (found < 4.5) said.push(where + ': contrast ' + found.toFixed(2) + ' of ' + words(text) + ', expected 4.5');
}

function checkPicture(name, svg) {
  const view = svg.getBoundingClientRect(), all = texts(svg);
  if (svg.querySelectorAll('.mark').length === 0) said.push(name + ': no marks of data in the picture');
  const title = svg.querySelector(':scope > title');
  if (svg.getAttribute('role') !== 'img' || !svg.getAttribute('aria-label') || !title || !title.textContent.trim())
    said.push(name + ': the picture has no name for who cannot see it');
  const boxes = all.map((text) => text.getBoundingClientRect());
  all.forEach((text, i) => {
    const box = boxes[i], style = getComputedStyle(text);
    if (box.left < view.left - 1 || box.right > view.right + 1 || box.top < view.top - 1 || box.bottom > view.bottom + 1)
      said.push(name + ': ' + words(text.textContent) + ' is outside of the picture');
    const size = parseFloat(style.fontSize) * view.width / svg.viewBox.baseVal.width;
    if (size < 9) said.push(name + ': ' + words(text.textContent) + ' is too small, ' + size.toFixed(1) + ' px, expected 9');
    expectContrast(name, text.textContent, colour(style.fill), backgroundInPicture(svg, text));
    for (let k = 0; k < i; ++k) {
      const wide = Math.min(box.right, boxes[k].right) - Math.max(box.left, boxes[k].left);
      const high = Math.min(box.bottom, boxes[k].bottom) - Math.max(box.top, boxes[k].top);
      if (wide > 1 && high > 1) said.push(name + ': ' + words(all[k].textContent) + ' and ' + words(text.textContent) + ' overlap');
    }
  });
}

function checkFigure(figure, i) {
  const name = nameOf(figure, i), caption = figure.querySelector('figcaption');
  if (!caption || !caption.textContent.trim()) said.push(name + ': no title');
  const pictures = [...figure.querySelectorAll('svg')].filter(shown);
  if (pictures.length !== 1) said.push(name + ': ' + pictures.length + ' pictures are shown, expected 1');
  pictures.forEach((svg) => checkPicture(name, svg));
  if (figure.querySelectorAll('details table tbody tr').length === 0) said.push(name + ': no numbers in a table of details');
}

function checkPage() {
  const width = innerWidth, scrolling = document.scrollingElement;
  if (!document.documentElement.lang) said.push('the page: no language');
  if (!document.querySelector('meta[name=viewport][content*="width=device-width"]')) said.push('the page: no viewport for phones');
  if (document.querySelectorAll('figure').length === 0) said.push('the page: no figures');
  if (scrolling.scrollWidth > width) said.push('the page: wider than the page may be, ' + scrolling.scrollWidth + ' px of ' + width);
  for (const entry of performance.getEntriesByType('resource')) said.push('the page: asks the network for ' + words(entry.name));
  for (const element of document.body.querySelectorAll('*')) {
    if (!shown(element) || element.closest('script, svg')) continue;
    const box = element.getBoundingClientRect(), inBox = element.closest('.scroll');
    if ((box.right > width + 1 || box.left < -1) && (!inBox || inBox === element))
      said.push('the page: ' + element.localName + ' ' + words(element.textContent) + ' is wider than the page');
    // A box that neither scrolls nor shows what is in it hides it.
    const scrolls = getComputedStyle(element).overflowX === 'auto' || inBox;
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && !scrolls)
      said.push('the page: ' + element.localName + ' ' + words(element.textContent) + ' is wider than the page or its box');
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (own.length) expectContrast('the page', element.textContent, colour(getComputedStyle(element).color), backgroundOf(element));
  }
}

addEventListener('load', () => {
  try {
    document.querySelectorAll('details').forEach((one) => { one.open = true; });
    checkPage();
    document.querySelectorAll('figure').forEach(checkFigure);
    said.unshift('looked at all of it');
  } catch (error) {
    said.unshift('the check itself failed: ' + error.stack);
  }
  parent.postMessage(said.join('\n'), '*');
});
