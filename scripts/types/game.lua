---@meta

-- What the game gives to scripts. Made by `cicerone api --format stubs-of-game`.

---@class Npc
local Npc = {}

---Plays a sound, everywhere or at a place.
---@param name string the sound's name, without an ending
---@param at? Place where it comes from
---@overload fun(name: string, at_x: number, at_z: number)
function play_sound(name, at) end

---Opens a dialog with the player, and waits for the answer.
---@param speaker Npc the character that speaks
---@param topic string what it is about
---@return string answer what the player chose
function start_dialog(speaker, topic) end

---Plays an animation of the character to its end.
---@param name string the animation's name
function Npc:play_animation(name) end

---Takes coins from the player's purse: all of them, or none.
---@param count integer how many
---@return boolean paid whether there were enough
function take_coins(count) end

---What the keeper of the gatehouse asks for, in coins.
---@type integer
toll = nil

