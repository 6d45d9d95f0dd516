// Uses the page in headless Firefox, and prints what it shows there as JSON: node firefox.mjs ADDRESS. FIREFOX names the browser, PUPPETEER the
// module that drives it. tests/page/test_firefox.py compares.

const { default: puppeteer } = await import(process.env.PUPPETEER);
const browser = await puppeteer.launch({ browser: 'firefox', executablePath: process.env.FIREFOX, headless: true });
const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 800 });
const errors = [];
page.on('pageerror', error => errors.push(String(error)));

const shown = wanted =>
  page.waitForFunction(
    wanted => {
      const { dataset } = document.getElementById('stage');
      return dataset.frame !== undefined && Object.entries(wanted).every(([name, value]) => dataset[name] === value);
    },
    { timeout: 20000 },
    wanted,
  );
const canvas = id => page.evaluate(id => document.getElementById(id).toDataURL('image/png'), id);
const text = () => page.$eval('#chain', field => field.value);
const type = async chain => {
  await page.$eval('#chain', (field, chain) => {
    field.value = chain;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, chain);
  await shown({ chain });
};
const press = async (key, ...held) => {
  await page.evaluate(() => document.activeElement.blur());
  for (const other of held) await page.keyboard.down(other);
  await page.keyboard.press(key);
  for (const other of held) await page.keyboard.up(other);
};

const seen = {};
await page.goto(process.argv[2]);
await shown({ frame: '0', chain: 'gaussian=2' });
seen.first = { before: await canvas('before'), after: await canvas('after') };

await type('gaussian=2,unsharp');
seen.typed = { after: await canvas('after'), cards: await page.$$eval('#cards h2', all => all.map(one => one.textContent)) };

await press('End');
await shown({ frame: '24' });
seen.last = { before: await canvas('before'), after: await canvas('after') };
await press('d');
seen.difference = await canvas('difference');
await press('s');

await page.focus('#compare');
await page.keyboard.press('Home');
const left = await page.$eval('#divider', line => Number.parseFloat(line.style.left));
await page.keyboard.press('End');
seen.handle = [left, await page.$eval('#divider', line => Number.parseFloat(line.style.left))];

await page.focus('#cards input[type=range]');
await page.keyboard.press('ArrowRight');
await page.waitForFunction(() => document.getElementById('stage').dataset.chain !== 'gaussian=2,unsharp', { timeout: 20000 });
seen.slider = await text();
await press('z', 'Control');
await shown({ chain: 'gaussian=2,unsharp' });

await page.reload();
await shown({ chain: 'gaussian=2,unsharp', frame: '24' });
await press('Home');
await shown({ frame: '0' });
await press(' ');
await page.waitForFunction(() => Number(document.getElementById('stage').dataset.frame) > 3, { timeout: 20000 });
await press(' ');

await page.setViewport({ width: 390, height: 844 });
seen.narrow = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
await browser.close();
console.log(JSON.stringify({ ...seen, errors }));
