// Tries each model of a server from the form of its page in Chromium: node page.mjs URL CHROMIUM. puppeteer-core is in
// node_modules of the working folder.
import { createRequire } from "node:module";

const puppeteer = createRequire(process.cwd() + "/")("puppeteer-core");
const [url, chromium] = process.argv.slice(2);
const browser = await (puppeteer.default ?? puppeteer).launch({
  executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });
const fail = async (text) => { console.error("failed: " + text); await browser.close(); process.exit(1); };
const page = await browser.newPage();
const problems = [];
page.on("console", (m) => { if (m.type() === "error") problems.push(m.text()); });
page.on("pageerror", (e) => problems.push(String(e)));
await page.goto(url);
await page.waitForSelector("section form");
const sections = await page.$$("section");
let tried = 0;
for (const s of sections) {
  await (await s.$("button")).click();
  await page.waitForFunction((e) => !e.querySelector(".answer").hidden, {}, s);
  const [name, text, bad] = await s.evaluate((e) => [e.querySelector("h2").textContent,
    e.querySelector(".answer").textContent, e.querySelector(".answer").classList.contains("bad")]);
  if (bad || !JSON.parse(text).outputs.length) await fail(`${name}: ${text}`);
  await s.evaluate((e) => { e.querySelector("textarea").value = '{"inputs":[]}'; });
  await (await s.$("button")).click();
  await page.waitForFunction((e) => e.querySelector(".answer").classList.contains("bad"), {}, s);
  tried++;
}
await page.waitForFunction(() => [...document.querySelectorAll(".numbers")].every((t) => t.rows.length > 0));
// The refused request is reported by the browser itself.
const others = problems.filter((p) => !p.includes("400 (Bad Request)"));
if (others.length || !tried) await fail(`${tried} models, errors: ${others.join("; ")}`);
console.log(`page: ${tried} passed, 0 failed`);
await browser.close();
