// Has Lighthouse look at the pages that are named on standard input, in one browser, and prints a line for each.

import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { text } from "node:stream/consumers";
import puppeteer from "puppeteer-core";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const chrome = await launch({
  chromePath: process.env.CHROMIUM,
  // Caddy's certificate for this machine is its own.
  chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--ignore-certificate-errors"],
});
const browser = await puppeteer.connect({ browserURL: `http://localhost:${chrome.port}`, defaultViewport: null });
const session = await browser.target().createCDPSession();
try {
  for (const page of JSON.parse(await text(process.stdin))) {
    await session.send("Storage.clearCookies");
    const [name, value] = page.cookie.split("=");
    const secure = page.url.startsWith("https:");
    if (name) await session.send("Storage.setCookies", { cookies: [{ name, value, url: page.url, path: "/", secure }] });
    console.log(JSON.stringify(told(page, (await look(page)) ?? (await look(page)))));
  }
} finally {
  await browser.disconnect();
  chrome.kill();
}

// What Lighthouse saw; nothing where the browser did not say when it began, which happens.
async function look({ url }) {
  const { lhr } = await lighthouse(url, { port: chrome.port, output: "json", logLevel: "silent", onlyCategories: CATEGORIES });
  return lhr.runtimeError?.code === "NO_NAVSTART" ? null : lhr;
}

function told(page, lhr) {
  if (!lhr) return { name: page.name, status: 0, wrong: "not seen" };
  const value = (audit) => lhr.audits[audit]?.numericValue ?? null;
  const requests = (lhr.audits["network-requests"]?.details?.items ?? []).filter(({ url }) => url.startsWith("http"));
  return {
    name: page.name,
    status: requests[0]?.statusCode ?? 0,
    wrong: lhr.runtimeError?.message ?? (lhr.finalDisplayedUrl === page.url ? "" : `leads to ${lhr.finalDisplayedUrl}`),
    scores: CATEGORIES.map((name) => Math.round(100 * (lhr.categories[name]?.score ?? 0))),
    paint: value("largest-contentful-paint"),
    bytes: requests.reduce((sum, { transferSize }) => sum + transferSize, 0),
    requests: requests.length,
    shift: value("cumulative-layout-shift"),
    lost: [...CATEGORIES.flatMap((name) => lost(lhr, lhr.categories[name])), ...shifts(lhr), ...tasks(lhr)],
    sent: requests.map(({ url, transferSize }) => [new URL(url).pathname, transferSize]),
  };
}

// Audits that cost a page points, with the first place each of them names.
function lost(lhr, category) {
  return category.auditRefs
    .filter(({ weight, id }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.995)
    .map(({ id }) => {
      const first = lhr.audits[id].details?.items?.[0];
      const place = first?.node?.snippet ?? first?.description ?? first?.source ?? lhr.audits[id].displayValue ?? "";
      return `${id} ${String(place).slice(0, 200)}`;
    });
}

// What kept the processor busy for so long that a touch would have to wait.
function tasks(lhr) {
  const items = lhr.audits["long-tasks"]?.details?.items ?? [];
  return items.map(({ url, startTime, duration }) => `busy for ${Math.round(duration)} ms from ${Math.round(startTime)} on: ${url}`);
}

// What moved, and how much of the shift that was.
function shifts(lhr) {
  const items = lhr.audits["layout-shifts"]?.details?.items ?? [];
  return items.filter(({ score }) => score > 0.005).map(({ node, score }) => `shift ${score.toFixed(3)} ${node?.snippet ?? ""}`);
}
